import { expect, test } from 'vitest';
import { checkChunks } from './chunk-grammar.ts';
import type { StreamChunk } from './chunks.ts';

const start = (index: number): StreamChunk => ({ type: 'block-start', index, blockType: 'text' });
const text = (index: number): StreamChunk => ({ type: 'text-delta', index, text: 'x' });
const end = (index: number): StreamChunk => ({ type: 'block-end', index, block: { type: 'text', text: 'x' } });
const usage: StreamChunk = { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } };
const finish: StreamChunk = { type: 'finish', reason: { kind: 'stop' } };

test.each<[string, StreamChunk[], string[]]>([
  ['interleaved blocks, usage and finish', [start(1), start(0), text(0), text(1), end(1), end(0), usage, finish], []],
  ['nothing but a finish', [finish], []],
  ['no finish', [start(0), end(0)], ['the stream ended without finish']],
  ['a start twice', [start(0), start(0), end(0), finish], ['a second block-start for index 0']],
  ['an index used again', [start(0), end(0), start(0), finish], ['a second block-start for index 0']],
  ['a delta before its start', [text(0), finish], ['text-delta for index 0, which is not open']],
  [
    'a delta of another kind',
    [start(0), { type: 'reasoning-delta', index: 0, text: '' }, end(0), finish],
    ['reasoning-delta of kind reasoning for index 0, which is a text block'],
  ],
  [
    'an end of another kind',
    [start(0), { type: 'block-end', index: 0, block: { type: 'reasoning', text: '' } }, finish],
    ['block-end of kind reasoning for index 0, which is a text block'],
  ],
  ['a block left open', [start(0), finish], ['finish while block 0 is open']],
  ['two usages', [usage, usage, finish], ['a second usage']],
  ['anything after finish', [finish, usage, finish], ['usage after finish', 'finish after finish']],
  [
    'odd indices',
    [start(-1), start(0.5), finish],
    ['index -1 is not a safe integer from 0', 'index 0.5 is not a safe integer from 0'],
  ],
])('%s', (_what, chunks, breaches) => {
  expect(checkChunks(chunks)).toEqual(breaches);
});
