import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

const position = (line: number, character: number) => ({ line, character });
const range = (line: number, character: number) => ({
  start: position(line, character),
  end: position(line, character + 1),
});

test.each([
  [{ contents: { kind: 'markdown', value: '**s**: text' }, range: range(0, 0) }, '**s**: text'],
  [{ contents: { language: 'demo', value: 'let s' } }, '```demo\nlet s\n```'],
  [{ contents: ['one', { language: 'demo', value: 'a ``` b' }, ''] }, 'one\n\n````demo\na ``` b\n````'],
  [{ contents: [] }, undefined],
  [{ contents: '' }, undefined],
  [{ contents: { language: 'demo', value: ' ' } }, undefined],
  [null, undefined],
  [undefined, undefined],
])('hover %j', (answer, text) => {
  expect(readAnswer('hover', 'demo', answer)).toEqual({ kind: 'hover', ...(text !== undefined && { text }) });
});

test.each([
  [null, []],
  [[], []],
  [{ uri: 'file:///a', range: range(1, 2) }, [{ uri: 'file:///a', line: 1, character: 2 }]],
  [
    [
      { targetUri: 'file:///b', targetRange: range(0, 0), targetSelectionRange: range(4, 2) },
      { uri: 'demo:c', range: range(5, 0) },
    ],
    [
      { uri: 'file:///b', line: 4, character: 2 },
      { uri: 'demo:c', line: 5, character: 0 },
    ],
  ],
])('places %j', (answer, locations) => {
  expect(readAnswer('goToDefinition', 'demo', answer)).toEqual({ kind: 'locations', locations });
});

test.each([
  ['hover', { contents: 'x', range: { start: position(-1, 0), end: position(0, 0) } }],
  ['hover', { contents: 7 }],
  ['hover', 'text'],
  ['goToDefinition', [{ uri: 'file:///x', range: range(-1, 0) }]],
  ['goToDefinition', [{ uri: 'file:///x', range: range(1.5, 0) }]],
  ['findReferences', [{ uri: 'file:///x' }]],
  ['goToImplementation', 3],
] as const)('%s refuses %j', (operation, answer) => {
  expect(() => readAnswer(operation, 'demo', answer)).toThrow(
    expect.objectContaining({ code: 'LSP_MALFORMED_RESPONSE' }) as Error,
  );
});
