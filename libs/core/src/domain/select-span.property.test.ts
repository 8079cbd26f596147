import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from './content.ts';
import type { SurfaceEvent } from './events.ts';
import { CallId } from './ids.ts';
import { COMPACTION_SOURCE, selectSpan } from './select-span.ts';
import { nodeTokens } from './token-meter.ts';

/** A conversation: each step calls so many tools and is followed by all of their results, or as far as it got. */
const steps = fc.array(fc.record({ calls: fc.nat(3), size: fc.nat(300), asked: fc.boolean() }), { maxLength: 12 });

function conversation(of: readonly { calls: number; size: number; asked: boolean }[]): SurfaceEvent[] {
  const nodes: object[] = [];
  const push = (node: object) => nodes.push({ seq: nodes.length * 3, time: 0, surfaceOp: 'append', ...node });
  for (const [index, { calls, size, asked }] of of.entries()) {
    const at = { turn: 1, step: index + 1 };
    if (asked) push({ type: 'user/message', data: { content: [text('go')], source: { kind: 'user' } } });
    // Ids repeat over the steps, as those of some models do.
    const ids = Array.from({ length: calls }, (_, n) => CallId.parse(`call-${n}`));
    const blocks = ids.map((id) => ({ type: 'tool-call', id, name: 'read', arguments: '{}' }));
    push({ type: 'assistant/message', data: { ...at, content: [text('hm'), ...blocks] } });
    for (const callId of ids)
      push({ type: 'tool/result', data: { ...at, callId, content: [text('r'.repeat(size))], isError: false } });
  }
  return nodes as SurfaceEvent[];
}

const openCalls = (nodes: readonly SurfaceEvent[]): number =>
  nodes.reduce((open, node) => {
    if (node.type === 'tool/result') return open - 1;
    if (node.type !== 'assistant/message') return open;
    return open + node.data.content.filter(({ type }) => type === 'tool-call').length;
  }, 0);

test('a cut leaves a tail of the size wanted, parts no call from its result, and is as late as it can be', () => {
  fc.assert(
    fc.property(steps, fc.nat(400), (of, retain) => {
      const nodes = conversation(of);
      const prices = new Map(nodes.map((node) => [node.seq, nodeTokens(node)]));
      const priceOf = (seq: number) => prices.get(seq) ?? 0;
      const cut = selectSpan({ nodes, priceOf, retain });
      const fits = (at: number) =>
        openCalls(nodes.slice(0, at)) === 0 &&
        (at === nodes.length
          ? retain === 0
          : nodes.slice(at).reduce((sum, { seq }) => sum + priceOf(seq), 0) >= retain);
      expect(cut === 0 || fits(cut)).toBe(true);
      for (let later = cut + 1; later <= nodes.length; later += 1) expect(fits(later)).toBe(false);
    }),
  );
});

test('an open step stays whole', () => {
  fc.assert(
    fc.property(steps, (of) => {
      const nodes = conversation(of);
      const cut = selectSpan({ nodes, priceOf: () => 1, retain: 0, open: { turn: 1, step: of.length } });
      expect(nodes.slice(0, cut).every(({ data }) => !('step' in data) || data.step < of.length)).toBe(true);
    }),
  );
});

test('a lone summary is not summed up again', () => {
  const summary = {
    type: 'user/message',
    seq: 9,
    time: 0,
    data: { content: [text('so far')], source: COMPACTION_SOURCE },
    surfaceOp: { op: 'replace', start: 1, end: 7 },
    sourceEventSeqs: [1, 7],
  } as SurfaceEvent;
  const [message] = conversation([{ calls: 0, size: 0, asked: false }]);
  const later = { ...message, seq: 10 } as SurfaceEvent;
  const cut = (nodes: SurfaceEvent[]) => selectSpan({ nodes, priceOf: () => 10, retain: 0 });
  expect([cut([summary]), cut([summary, later])]).toEqual([0, 2]);
});
