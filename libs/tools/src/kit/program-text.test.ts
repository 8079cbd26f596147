import { expect, test } from 'vitest';
import type { ProgramEnd } from './program-port.ts';
import { programResult } from './program-text.ts';
import { resultText } from './presentation.ts';

const told = (end: ProgramEnd, logs: string[] = []) => resultText(programResult({ end, logs, maxCaptured: 20 }));
const returned = (value?: unknown): ProgramEnd => ({
  kind: 'returned',
  ...(value !== undefined && { json: JSON.stringify(value) }),
});

test.each<[string, ProgramEnd, string[], string]>([
  ['nothing', returned(), [], '(run_code completed with no output)'],
  ['an empty text', returned(''), [], '(run_code completed with no output)'],
  ['a number', returned(2), [], '2'],
  ['a text, raw', returned('a "b"\nc'), [], 'a "b"\nc'],
  ['null', returned(null), [], 'null'],
  ['logs alone', returned(), ['a', 'b'], 'a\nb'],
  ['logs, then the value', returned({ a: [1] }), ['a'], 'a\n{\n  "a": [\n    1\n  ]\n}'],
  ['as deep as indentation goes', returned([[[[[1]]]]]), [], JSON.stringify([[[[[1]]]]], undefined, 2)],
  ['deeper, in one line', returned([[[[[[1]]]]]]), [], '[[[[[[1]]]]]]'],
])('%s', (_name, end, logs, text) => {
  expect(told(end, logs)).toBe(text);
});

test('a failure says its kind, why, and what was printed before it', () => {
  const end: ProgramEnd = { kind: 'failed', failure: 'timeout', message: 'too slow' };
  expect(programResult({ end, logs: [], maxCaptured: 20 })).toEqual({
    content: [{ type: 'text', text: 'Error: code run failed (timeout): too slow' }],
    isError: true,
    error: { name: 'CodeRunError', code: 'CODE_RUN_FAILED' },
  });
  expect(told(end, ['a', 'b'])).toBe('Error: code run failed (timeout): too slow\nCaptured output:\na\nb');
  expect(told(end, ['x'.repeat(25)])).toBe(
    `Error: code run failed (timeout): too slow\nCaptured output:\n${'x'.repeat(20)}\n[cut here: 5 more characters]`,
  );
});
