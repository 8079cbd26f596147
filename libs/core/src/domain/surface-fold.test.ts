import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { text } from './content.ts';
import { deriveMessages, DerivedMessages } from './derive-messages.ts';
import type { SessionEvent, SurfaceOp } from './events.ts';
import { CallId } from './ids.ts';
import { foldSurface, SurfaceFold } from './surface-fold.ts';

const source = { kind: 'user' as const };
const user = (seq: number, surfaceOp: SurfaceOp = 'append', sourceEventSeqs?: number[]): SessionEvent => ({
  type: 'user/message',
  seq,
  time: seq,
  data: { content: [text(`m${seq}`)], source },
  surfaceOp,
  ...(sourceEventSeqs && { sourceEventSeqs }),
});
const result = (
  seq: number,
  fields: object = {},
  surfaceOp: SurfaceOp = 'append',
  sourceEventSeqs?: number[],
): SessionEvent => ({
  type: 'tool/result',
  seq,
  time: seq,
  data: { turn: 1, step: 1, callId: CallId.parse('c'), content: [text('long')], isError: false, ...fields },
  surfaceOp,
  ...(sourceEventSeqs && { sourceEventSeqs }),
});
const replace = (start: number, end: number): SurfaceOp => ({ op: 'replace', start, end });
const seqs = (fold: SurfaceFold) => fold.nodes().map(({ seq }) => seq);

function folded(...events: SessionEvent[]): SurfaceFold {
  const fold = new SurfaceFold();
  for (const event of events) fold.apply(event);
  return fold;
}

describe('SurfaceFold', () => {
  test('a replacement stands where its span stood, also when numbers run backwards', () => {
    const fold = folded(user(0), user(1), user(2), user(3), user(4, replace(1, 2), [1, 2]));
    expect(seqs(fold)).toEqual([0, 4, 3]);
    fold.apply(user(5, replace(4, 3), [4, 3, 1]));
    expect(seqs(fold)).toEqual([0, 5]);
    expect([fold.replaceGeneration, fold.has(5), fold.has(4)]).toEqual([2, true, false]);
    expect(fold.replacements).toEqual([
      { seq: 4, start: 1, end: 2, shadowedSeqs: [1, 2] },
      { seq: 5, start: 4, end: 3, shadowedSeqs: [4, 3] },
    ]);
  });

  test.each<[string, SessionEvent[], SessionEvent, string]>([
    ['a start behind its end', [user(0), user(1)], user(2, replace(1, 0), [0, 1]), 'stands after its end'],
    [
      'a bound that is shadowed',
      [user(0), user(1, replace(0, 0), [0])],
      user(2, replace(0, 1), [0, 1]),
      'bound 0 is not a current node',
    ],
    ['a bound that never was', [user(0)], user(2, replace(0, 1), [0, 1]), 'bound 1 is not a current node'],
    [
      'a shadowed node that is not listed',
      [user(0), user(1), user(2)],
      user(3, replace(0, 2), [0, 2]),
      'node 1 is not listed',
    ],
    ['a replacement without sources', [user(0)], user(1, replace(0, 0)), 'node 0 is not listed'],
    ['empty sources', [], user(0, 'append', []), 'sourceEventSeqs is empty'],
    ['a source that is not earlier', [user(0)], user(1, 'append', [1]), 'source 1 is not'],
    ['a negative source', [user(0)], user(1, 'append', [-1]), 'source -1 is not'],
    ['a source twice', [user(0)], user(1, 'append', [0, 0]), 'listed twice'],
    ['a result in place of a message', [user(0)], result(1, {}, replace(0, 0), [0]), 'exactly one tool/result'],
    [
      'a result in place of two',
      [result(0), result(1)],
      result(2, {}, replace(0, 1), [0, 1]),
      'exactly one tool/result',
    ],
    [
      'a result that differs in more than content',
      [result(0)],
      result(1, { isError: true }, replace(0, 0), [0]),
      'content only',
    ],
    ['a result that lost its meta', [result(0, { meta: { a: 1 } })], result(1, {}, replace(0, 0), [0]), 'content only'],
    ['no surfaceOp', [], { ...user(0), surfaceOp: undefined } as never, 'surfaceOp is missing'],
    [
      'surfaceOp elsewhere',
      [],
      { type: 'todo/write', seq: 0, time: 0, data: { todos: [] }, surfaceOp: 'append' } as never,
      'does not stand on the surface',
    ],
  ])('refuses %s and stays as it was', (_what, before, event, message) => {
    const fold = folded(...before);
    const nodes = fold.nodes();
    expect(() => fold.apply(event)).toThrow(
      expect.objectContaining({ code: 'DOMAIN_INVALID_SURFACE', message: expect.stringContaining(message) }),
    );
    expect([fold.nodes(), fold.replacements.length]).toEqual([
      nodes,
      before.filter((one) => one.surfaceOp !== 'append').length,
    ]);
  });

  test('a pruned result replaces its original; an answer may come from an empty stream', () => {
    const pruned = result(1, { content: [text('short')] }, replace(0, 0), [0]);
    const empty: SessionEvent = {
      type: 'assistant/message',
      seq: 2,
      time: 2,
      data: { turn: 1, step: 1, content: [], provenance: { provider: 'p', model: 'm' } },
      surfaceOp: 'append',
      sourceEventSeqs: [],
    };
    expect(foldSurface([result(0), pruned, empty]).nodes).toEqual([pruned, empty]);
  });

  test('agrees with a plain list, and derives incrementally what it derives at once', () => {
    const command = fc.record({
      kind: fc.constantFrom('append', 'replace', 'log-only'),
      from: fc.nat(),
      length: fc.nat({ max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const events: SessionEvent[] = [];
        const fold = new SurfaceFold();
        const derived = new DerivedMessages(fold);
        let list: number[] = [];
        for (const { kind, from, length } of commands) {
          const seq = events.length;
          const event = nextEvent({ kind, from, length, seq, list });
          if (event.surfaceOp === 'append') list.push(seq);
          else if (event.surfaceOp) {
            const { start, end } = event.surfaceOp;
            list = [...list.slice(0, list.indexOf(start)), seq, ...list.slice(list.indexOf(end) + 1)];
          }
          events.push(event);
          fold.apply(event);
          expect(seqs(fold)).toEqual(list);
          expect(derived.messages()).toEqual(list.map((one) => ({ role: 'user', content: [text(`m${one}`)] })));
        }
        const whole = foldSurface(events);
        expect(whole).toEqual({ nodes: fold.nodes(), replacements: fold.replacements });
        expect(deriveMessages(whole.nodes)).toEqual(derived.messages());
      }),
    );
  });

  test('a span of 200,000 nodes is replaced without overflowing a stack', () => {
    const fold = new SurfaceFold();
    const count = 200_000;
    for (let seq = 0; seq < count; seq += 1) fold.apply(user(seq));
    fold.apply(
      user(
        count,
        replace(0, count - 1),
        Array.from({ length: count }, (_unused, seq) => seq),
      ),
    );
    expect(seqs(fold)).toEqual([count]);
  });
});

interface NextEvent {
  kind: string;
  from: number;
  length: number;
  seq: number;
  list: number[];
}

function nextEvent({ kind, from, length, seq, list }: NextEvent): SessionEvent {
  if (kind === 'log-only') return { type: 'todo/write', seq, time: seq, data: { todos: [] } };
  if (kind === 'append' || list.length === 0) return user(seq);
  const first = from % list.length;
  const span = list.slice(first, first + 1 + length);
  return user(seq, replace(span[0] as number, span.at(-1) as number), span);
}
