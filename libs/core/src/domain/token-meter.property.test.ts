import fc from 'fast-check';
import { expect, test } from 'vitest';
import { text } from './content.ts';
import type { SessionEvent, SurfaceEvent } from './events.ts';
import { headersEqual } from './header-equality.ts';
import type { EpochHeader } from './requests.ts';
import { foldSurface, SurfaceFold } from './surface-fold.ts';
import { nodeTokens, TokenMeter } from './token-meter.ts';
import { headerTokens } from './token-price.ts';

const headers: EpochHeader[] = ['a', 'b'].map((model) => ({
  config: { provider: 'p', model },
  system: model.repeat(40),
}));

type Act =
  | { kind: 'says'; length: number; counted: number }
  | { kind: 'header'; index: number }
  | { kind: 'replace'; from: number; nodes: number; length: number; priced: boolean };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('says' as const), length: fc.nat(400), counted: fc.nat(600) }),
  },
  fc.record({ kind: fc.constant('header' as const), index: fc.nat(1) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('replace' as const),
      from: fc.nat(20),
      nodes: fc.integer({ min: 1, max: 6 }),
      length: fc.nat(60),
      priced: fc.boolean(),
    }),
  },
);

/** A log in which these things happened; `counted` below 100 stands for a provider that counts nothing. */
function logOf(acts: readonly Act[]): SessionEvent[] {
  const events: SessionEvent[] = [];
  const push = (event: object) => void events.push({ seq: events.length, time: 0, ...event } as SessionEvent);
  push({ type: 'request/header', data: { header: headers[0], reason: 'initial' } });
  for (const one of acts) {
    if (one.kind === 'header') push({ type: 'request/header', data: { header: headers[one.index], reason: 'change' } });
    if (one.kind === 'says') {
      const usage =
        one.counted < 100 ? {} : { usage: { inputTokens: one.counted, outputTokens: 5, cacheReadTokens: 9 } };
      const data = {
        turn: 1,
        step: 1,
        content: [text('x'.repeat(one.length))],
        provenance: headers[0]?.config,
        ...usage,
      };
      push({ type: 'assistant/message', data, surfaceOp: 'append', sourceEventSeqs: [] });
    }
    if (one.kind === 'replace') {
      const nodes = foldSurface(events).nodes.slice(one.from, one.from + one.nodes);
      const [start, end] = [nodes[0]?.seq, nodes.at(-1)?.seq];
      if (start === undefined || end === undefined) continue;
      const shadowedSeqs = nodes.map(({ seq }) => seq);
      const shadowedTokenCount = nodes.reduce((sum, node) => sum + nodeTokens(node), 0);
      const shadow = { shadowedRange: { start, end }, shadowedSeqs, shadowedTokenCount };
      if (one.priced) push({ type: 'compact/prune', data: shadow });
      push({
        type: 'user/message',
        data: { content: [text('s'.repeat(one.length))], source: { kind: 'plugin', plugin: 'compact' } },
        surfaceOp: { op: 'replace', start, end },
        sourceEventSeqs: shadowedSeqs,
      });
    }
  }
  return events;
}

function measured(events: readonly SessionEvent[], header: EpochHeader) {
  const fold = new SurfaceFold();
  const meter = new TokenMeter(fold);
  for (const event of events) {
    fold.apply(event);
    meter.apply(event);
  }
  return { ...meter.measure(header), fold, meter };
}

const sum = (nodes: readonly SurfaceEvent[]) => nodes.reduce((total, node) => total + nodeTokens(node), 0);

test('what stands on the surface costs what its nodes cost, however it came about', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const events = logOf(acts);
      const { surfaceTokens, logRevision, fold, meter } = measured(events, headers[0] as EpochHeader);
      expect([surfaceTokens, logRevision]).toEqual([sum(foldSurface(events).nodes), events.length]);
      expect(fold.nodes().map(({ seq }) => meter.priceOf(seq))).toEqual(fold.nodes().map(nodeTokens));
    }),
  );
});

test('with a count of the same header, the total is the count and what came since; else prices alone', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), fc.nat(1), (acts, index) => {
      const events = logOf(acts);
      const header = headers[index] as EpochHeader;
      const { baseline, totalTokens, surfaceTokens } = measured(events, header);
      const at = events.findLastIndex((event) => event.type === 'assistant/message' && event.data.usage !== undefined);
      const logged = events.slice(0, at + 1).findLast((event) => event.type === 'request/header')?.data.header;
      const since = events.slice(at + 1);
      const blind = since.some(
        (event, n) => typeof event.surfaceOp === 'object' && since[n - 1]?.type !== 'compact/prune',
      );
      const anchored = at !== -1 && logged !== undefined && headersEqual(logged, header) && !blind;
      expect(baseline === 'none').toBe(!anchored);
      if (!anchored) expect(totalTokens).toBe(headerTokens(header) + surfaceTokens);
      if (!anchored || since.some((event) => typeof event.surfaceOp === 'object')) return;
      const message = events[at];
      const usage = message?.type === 'assistant/message' ? message.data.usage : undefined;
      const counted = (usage?.inputTokens ?? 0) + 5 + 9;
      const priced = headerTokens(header) + sum(foldSurface(events.slice(0, at + 1)).nodes);
      const later = sum(since.filter((event) => event.surfaceOp === 'append') as SurfaceEvent[]);
      expect([baseline, totalTokens]).toEqual([
        counted >= priced ? 'usage' : 'estimated',
        Math.max(counted, priced) + later,
      ]);
    }),
  );
});

test('a priced replacement lowers the total by no less than it lowers the prices', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 3, maxLength: 30 }), fc.nat(8), fc.nat(6), (acts, from, nodes) => {
      const header = headers[0] as EpochHeader;
      const before = measured(logOf(acts), header);
      const shorter = { kind: 'replace' as const, from, nodes: nodes + 1, length: 0, priced: true };
      const after = measured(logOf([...acts, shorter]), header);
      const less = before.surfaceTokens - after.surfaceTokens;
      const fell = before.totalTokens - after.totalTokens;
      expect(before.baseline === 'none' || less <= 0 || fell >= Math.min(less, before.totalTokens)).toBe(true);
    }),
  );
});
