import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from './content.ts';
import { deriveMessages, DerivedMessages } from './derive-messages.ts';
import type { SessionEvent, SurfaceEvent } from './events.ts';
import { CallId } from './ids.ts';
import type { Message } from './messages.ts';
import { pruneResults } from './prune-results.ts';
import { COMPACTION_SOURCE, selectSpan } from './select-span.ts';
import { foldSurface, SurfaceFold } from './surface-fold.ts';

type Act =
  | { kind: 'step'; calls: number; size: number; silent: boolean }
  | { kind: 'said'; as: 'user/message' | 'context/message' | 'steering/message' }
  | { kind: 'noise'; as: 'assistant/chunk' | 'todo/write' | 'prompt/blocked' }
  | { kind: 'prune' }
  | { kind: 'sum-up'; retain: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      calls: fc.nat(3),
      size: fc.constantFrom(5, 9_000),
      silent: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constant('said' as const),
    as: fc.constantFrom('user/message' as const, 'context/message' as const, 'steering/message' as const),
  }),
  fc.record({
    kind: fc.constant('noise' as const),
    as: fc.constantFrom('assistant/chunk' as const, 'todo/write' as const, 'prompt/blocked' as const),
  }),
  fc.record({ kind: fc.constant('prune' as const) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sum-up' as const), retain: fc.nat(3) }) },
);

const source = { kind: 'user' };
const noise = {
  'assistant/chunk': { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'lost' } },
  'todo/write': { todos: [] },
  'prompt/blocked': { content: [text('no')], source, reason: 'r' },
};

/** A log in which these happened, and where in it a model might have been asked. */
function logOf(acts: readonly Act[]): { events: SessionEvent[]; asks: number[] } {
  const events: SessionEvent[] = [];
  const asks: number[] = [];
  const push = (event: object) => void events.push({ seq: events.length, time: 0, ...event } as SessionEvent);
  for (const [n, one] of acts.entries()) {
    const at = { turn: 1, step: n + 1 };
    switch (one.kind) {
      case 'noise':
        push({ type: one.as, data: noise[one.as] });
        break;
      case 'said':
        push({ type: one.as, data: { turn: 1, content: [text(`${n}`)], source }, surfaceOp: 'append' });
        break;
      case 'step': {
        // Ids repeat over the steps, as those of some models do.
        const ids = Array.from({ length: one.calls }, (_, call) => CallId.parse(`call-${call}`));
        const calls = ids.map((id) => ({ type: 'tool-call', id, name: 'read', arguments: '{}' }));
        const content = [...(one.silent ? [] : [text('hm')]), ...calls];
        const provenance = { provider: 'p', model: 'm' };
        push({
          type: 'assistant/message',
          data: { ...at, content, provenance },
          surfaceOp: 'append',
          sourceEventSeqs: [],
        });
        for (const callId of ids) {
          const result = { ...at, callId, content: [text('r'.repeat(one.size))], isError: false };
          push({ type: 'tool/result', data: result, surfaceOp: 'append' });
        }
        break;
      }
      case 'prune':
        for (const { result, content } of pruneResults(foldSurface(events).nodes))
          push({
            type: 'tool/result',
            data: { ...result.data, content },
            surfaceOp: { op: 'replace', start: result.seq, end: result.seq },
            sourceEventSeqs: [result.seq],
          });
        break;
      case 'sum-up': {
        const { nodes } = foldSurface(events);
        const span = nodes.slice(0, selectSpan({ nodes, priceOf: () => 1, retain: one.retain })).map(({ seq }) => seq);
        if (span.length === 0) break;
        push({
          type: 'user/message',
          data: { content: [text(`sum ${n}`)], source: COMPACTION_SOURCE },
          surfaceOp: { op: 'replace', start: span[0], end: span.at(-1) },
          sourceEventSeqs: span,
        });
      }
    }
    asks.push(events.length);
  }
  return { events, asks };
}

/** The calls of a history that have no result behind them, and the results no call before them asked for. */
function orphansOf(messages: readonly Message[]): string[] {
  const open: string[] = [];
  const orphans: string[] = [];
  for (const { content } of messages)
    for (const block of content) {
      if (block.type === 'tool-call') open.push(block.id);
      if (block.type !== 'tool-result') continue;
      const at = open.indexOf(block.toolCallId);
      if (at === -1) orphans.push(block.toolCallId);
      else open.splice(at, 1);
    }
  return [...orphans, ...open];
}

const acts = fc.array(act, { maxLength: 30 });

test('however often a history was shortened, no request holds a call without its result or a result without its call', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const { events, asks } = logOf(given);
      for (const end of asks) expect(orphansOf(deriveMessages(foldSurface(events.slice(0, end)).nodes))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('what is not replaced goes on from what was there, and what no model sees changes nothing', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const fold = new SurfaceFold();
      const derived = new DerivedMessages(fold);
      let before: Message[] = [];
      for (const event of logOf(given).events) {
        fold.apply(event);
        const after = derived.messages();
        if (typeof event.surfaceOp !== 'object') expect(after.slice(0, before.length)).toEqual(before);
        const seen = event.surfaceOp !== undefined;
        const says = seen && (event as SurfaceEvent).data.content.length > 0;
        if (typeof event.surfaceOp !== 'object') expect(after).toHaveLength(before.length + (says ? 1 : 0));
        before = [...after];
      }
      expect(before).toEqual(deriveMessages(foldSurface(logOf(given).events).nodes));
    }),
  );
});

test('each message is its node’s content as it stands, in the order of the surface', () => {
  fc.assert(
    fc.property(acts, (given) => {
      const { nodes } = foldSurface(logOf(given).events);
      const said = nodes.filter(({ data }) => data.content.length > 0);
      expect(deriveMessages(nodes).map(({ content }) => content)).toEqual(
        said.map((node) =>
          node.type === 'tool/result'
            ? [{ type: 'tool-result', toolCallId: node.data.callId, content: node.data.content, isError: false }]
            : node.data.content,
        ),
      );
    }),
  );
});
