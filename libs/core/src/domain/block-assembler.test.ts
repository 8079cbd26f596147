import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockAssembler } from './block-assembler.ts';
import { checkChunks } from './chunk-grammar.ts';
import type { StreamChunk } from './chunks.ts';
import type { ContentBlock } from './content.ts';
import { CallId } from './ids.ts';

const id = (value: string) => CallId.parse(value);
const call = (callId: string, name: string, args: string): ContentBlock => ({
  type: 'tool-call',
  id: id(callId),
  name,
  arguments: args,
});
const delta = (index: number, callId: string, name: string | undefined, argumentsDelta: string): StreamChunk => ({
  type: 'tool-call-delta',
  index,
  // An adapter that passes a provider's empty id through breaks the type; the assembler bears it.
  id: callId as CallId,
  ...(name !== undefined && { name }),
  argumentsDelta,
});

function assemble(...chunks: StreamChunk[]): BlockAssembler {
  const assembler = new BlockAssembler();
  for (const chunk of chunks) assembler.push(chunk);
  return assembler;
}
const blocks = (...chunks: StreamChunk[]) => assemble(...chunks).blocks();
const limit: StreamChunk = { type: 'finish', reason: { kind: 'max-tokens' } };

describe('BlockAssembler', () => {
  test.each<[string, StreamChunk[], ContentBlock[]]>([
    [
      'first appearance orders blocks',
      [
        { type: 'text-delta', index: 7, text: 'a' },
        { type: 'text-delta', index: 2, text: 'b' },
      ],
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    ],
    [
      'a delta opens a block of its kind',
      [{ type: 'reasoning-delta', index: 0, text: 'hm' }],
      [{ type: 'reasoning', text: 'hm' }],
    ],
    [
      'a second start is ignored',
      [
        { type: 'block-start', index: 0, blockType: 'text' },
        { type: 'text-delta', index: 0, text: 'a' },
        { type: 'block-start', index: 0, blockType: 'reasoning' },
        { type: 'text-delta', index: 0, text: 'b' },
      ],
      [{ type: 'text', text: 'ab' }],
    ],
    [
      'a start alone is an empty block',
      [{ type: 'block-start', index: 0, blockType: 'text' }],
      [{ type: 'text', text: '' }],
    ],
    [
      'the end is authoritative and final',
      [
        { type: 'text-delta', index: 0, text: 'draft' },
        { type: 'block-end', index: 0, block: { type: 'text', text: 'final' } },
        { type: 'text-delta', index: 0, text: 'late' },
        { type: 'block-end', index: 0, block: { type: 'text', text: 'second' } },
      ],
      [{ type: 'text', text: 'final' }],
    ],
    ['an end without a start', [{ type: 'block-end', index: 3, block: call('c', 'n', '{}') }], [call('c', 'n', '{}')]],
    [
      'a delta of another kind does not re-type',
      [
        { type: 'text-delta', index: 0, text: 'a' },
        { type: 'reasoning-delta', index: 0, text: 'b' },
      ],
      [{ type: 'text', text: 'ab' }],
    ],
    [
      'a call grows, its id is overwritten, its name only by a name',
      [delta(0, 'c0', 'read', '{"pa'), delta(0, 'c1', '', 'th":1}'), delta(0, 'c1', undefined, '')],
      [call('c1', 'read', '{"path":1}')],
    ],
    [
      'empty repeated names erase nothing; a call may have no arguments',
      [delta(0, 'c1', 'read', '{"pa'), delta(0, '', '', 'th":"a.txt"}'), delta(1, 'c2', 'list_agents', '')],
      [call('c1', 'read', '{"path":"a.txt"}'), call('c2', 'list_agents', '')],
    ],
    ['a call without an id', [{ type: 'block-start', index: 4, blockType: 'tool-call' }], [call('call-4', '', '')]],
  ])('%s', (_what, chunks, expected) => {
    expect(blocks(...chunks)).toEqual(expected);
  });

  test('an open block of unknown type cannot be assembled', () => {
    const start = { type: 'block-start', index: 0, blockType: 'video' } as unknown as StreamChunk;
    expect(() => blocks(start)).toThrow(
      expect.objectContaining({ code: 'DOMAIN_INVALID_BLOCK', message: expect.stringContaining('video') }),
    );
  });

  test('the last usage and the finish count; without a finish it is stop', () => {
    const usage = (inputTokens: number): StreamChunk => ({ type: 'usage', usage: { inputTokens, outputTokens: 1 } });
    const open = assemble(usage(1), usage(2));
    expect([open.usage, open.finish, open.finished, open.replayState]).toEqual([
      { inputTokens: 2, outputTokens: 1 },
      { kind: 'stop' },
      false,
      undefined,
    ]);
    const done = assemble({ type: 'finish', reason: { kind: 'tool-calls' }, replayState: { blocks: [] } });
    expect([done.usage, done.finish, done.finished, done.replayState]).toEqual([
      undefined,
      { kind: 'tool-calls' },
      true,
      { blocks: [] },
    ]);
    expect(done.message()).toEqual({ role: 'assistant', content: [] });
  });

  test('an answer cut at the token limit loses its calls and, by position, their replay entries', () => {
    const parts: StreamChunk[] = [
      { type: 'text-delta', index: 0, text: 'a' },
      delta(1, 'c', 'n', '{"half'),
      { type: 'reasoning-delta', index: 2, text: 'r' },
    ];
    const cut = (replayState: object) => assemble(...parts, { ...limit, replayState } as StreamChunk);
    expect(cut({}).blocks()).toEqual([
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'r' },
    ]);
    expect(cut({ response: { id: 'x' }, blocks: ['ta', 'tb', 'tc'] }).replayState).toEqual({
      response: { id: 'x' },
      blocks: ['ta', 'tc'],
    });
    expect(cut({ response: {}, blocks: ['ta', 'tb'] }).replayState).toBeUndefined();
    expect(cut({ response: {} }).replayState).toEqual({ response: {} });
    const whole = assemble(...parts, {
      type: 'finish',
      reason: { kind: 'stop' },
      replayState: { blocks: ['ta', 'tb'] },
    });
    expect([whole.blocks().length, whole.replayState]).toEqual([3, { blocks: ['ta', 'tb'] }]);
  });

  test('however a well-formed stream is cut and interleaved, the blocks come back whole', () => {
    const block = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string() }),
      fc.record({ type: fc.constant('reasoning' as const), text: fc.string() }),
      fc.record({
        type: fc.constant('tool-call' as const),
        id: fc.stringMatching(/^c\d+$/).map(id),
        name: fc.stringMatching(/^[a-z]+$/),
        arguments: fc.string(),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        fc.boolean(),
        (expected, choices, withEnds) => {
          const next = (bound: number) => choices.next().value % bound;
          const streams = expected.map((one, index) => streamOf(one, index, next, withEnds));
          const starts = streams.map((stream) => stream.shift() as StreamChunk);
          const chunks = [
            ...starts,
            ...interleave(streams, next),
            { type: 'finish', reason: { kind: 'stop' } } as const,
          ];
          expect(blocks(...chunks)).toEqual(expected);
          if (withEnds) expect(checkChunks(chunks)).toEqual([]);
        },
      ),
    );
  });

  test('any sequence of chunks assembles to what a reading block by block says', () => {
    const index = fc.nat({ max: 2 });
    const chunk = fc.oneof<fc.Arbitrary<StreamChunk>[]>(
      fc.record({
        type: fc.constant('block-start'),
        index,
        blockType: fc.constantFrom('text', 'reasoning', 'tool-call'),
      }),
      fc.record({ type: fc.constant('text-delta'), index, text: fc.string() }),
      fc.record({ type: fc.constant('reasoning-delta'), index, text: fc.string() }),
      fc.record({ type: fc.constant('block-end'), index, block: fc.constant({ type: 'text' as const, text: 'end' }) }),
      fc.constant(limit),
    );
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        expect(blocks(...chunks)).toEqual(naive(chunks));
      }),
    );
  });
});

/** The same answer found the slow way: one block at a time, looking at the whole stream each time. */
function naive(chunks: StreamChunk[]): ContentBlock[] {
  const indices = [...new Set(chunks.flatMap((one) => ('index' in one ? [one.index] : [])))];
  const all = indices.map((index): ContentBlock => {
    const own = chunks.filter((one) => 'index' in one && one.index === index);
    const end = own.find((one) => one.type === 'block-end');
    if (end) return end.block;
    const [first] = own;
    const said = own.map((one) => ('text' in one ? one.text : '')).join('');
    const kind = first?.type === 'block-start' ? first.blockType : first?.type.replace('-delta', '');
    if (kind === 'tool-call') return call(`call-${index}`, '', said);
    return { type: kind as 'text' | 'reasoning', text: said };
  });
  return chunks.includes(limit) ? all.filter(({ type }) => type !== 'tool-call') : all;
}

function streamOf(
  block: ContentBlock,
  index: number,
  next: (bound: number) => number,
  withEnd: boolean,
): StreamChunk[] {
  const whole = block.type === 'tool-call' ? block.arguments : 'text' in block ? block.text : '';
  const pieces: string[] = [];
  for (let at = 0; at < whole.length;) {
    const size = 1 + next(4);
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  const start = { type: 'block-start', index, blockType: block.type } as StreamChunk;
  const named = block.type === 'tool-call' ? [delta(index, block.id, block.name, '')] : [];
  const deltas = pieces.map((piece): StreamChunk => {
    if (block.type === 'tool-call') return delta(index, block.id, undefined, piece);
    return { type: block.type === 'text' ? 'text-delta' : 'reasoning-delta', index, text: piece };
  });
  return [start, ...named, ...deltas, ...(withEnd ? [{ type: 'block-end', index, block } as const] : [])];
}

function interleave(streams: StreamChunk[][], next: (bound: number) => number): StreamChunk[] {
  const merged: StreamChunk[] = [];
  for (
    let open = streams.filter((one) => one.length > 0);
    open.length > 0;
    open = open.filter((one) => one.length > 0)
  ) {
    merged.push((open[next(open.length)] as StreamChunk[]).shift() as StreamChunk);
  }
  return merged;
}
