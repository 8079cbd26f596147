import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLog, Enclosure, text } from '@everturn/core/domain';
import type { Author, AuthoredEvent, CallId, JsonValue } from '@everturn/core/domain';
import { readEvents, readHead } from '@everturn/core/postgres';
import { commit } from './commit.ts';
import { ProjectionError } from './errors.ts';
import { author, closeTestProjection, newSession, openTestProjection, source } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const number = fc.constantFrom(1, 1, 1, 2, 2, 3);
const at = fc.record({ turn: number, step: number });
const callId = fc.constantFrom('a', 'b', '\0\ud83d') as fc.Arbitrary<CallId>;
const error = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' };

type Draft = { type: AuthoredEvent['type']; data: JsonValue; surface?: 'append' };
const draft: fc.Arbitrary<Draft> = fc.oneof(
  number.map((turn) => ({ type: 'turn/start' as const, data: { turn, trigger: { kind: 'message', source } } })),
  fc.record({ turn: number, kind: fc.constantFrom('completed', 'interrupted') }).map(({ turn, kind }) => ({
    type: 'turn/end' as const,
    data: { turn, reason: { kind } },
  })),
  { weight: 2, arbitrary: at.map((data) => ({ type: 'step/start' as const, data })) },
  { weight: 2, arbitrary: at.map((data) => ({ type: 'step/end' as const, data })) },
  fc.record({ at, callId }).map(({ at: place, callId: id }) => ({
    type: 'tool/call' as const,
    data: { ...place, callId: id, name: 'bash', arguments: '{}' },
  })),
  fc.record({ at, callId, recovers: fc.boolean() }).map(({ at: place, callId: id, recovers }) => ({
    type: 'tool/result' as const,
    data: { ...place, callId: id, content: [text('r')], isError: false, ...(recovers && { error }) },
    surface: 'append' as const,
  })),
  fc.constantFrom('x', 'y').map((id) => ({ type: 'approval/asked' as const, data: { id, toolName: 'bash' } })),
  fc.constantFrom('x', 'y').map((id) => ({ type: 'approval/decided' as const, data: { id, outcome: 'rejected' } })),
  at.map((place) => ({
    type: 'llm/retry' as const,
    data: { ...place, retry: 1, maxRetries: 2, delayMs: 1, failure: { message: 'm', code: 'SERVER' } },
  })),
  fc.constant({ type: 'prompt/blocked' as const, data: { content: [text('p')], source, reason: 'no' } }),
  fc.constant({ type: 'todo/write' as const, data: { todos: [] } }),
  number.map((turn) => ({
    type: 'steering/message' as const,
    data: { turn, content: [text('s')], source },
    surface: 'append' as const,
  })),
);

/** The next legal move more often than not, so that runs get anywhere. */
function guided({ type, data, surface }: Draft, open: { turn?: number; step?: number }, last: Enclosure): Draft {
  const numbers: Record<string, number> = {};
  if (type === 'turn/start') numbers['turn'] = (last.lastTurn ?? 0) + 1;
  else if (open.turn !== undefined) numbers['turn'] = open.turn;
  if (type === 'step/start') numbers['step'] = (last.lastStep ?? 0) + 1;
  else if (type === 'llm/retry') numbers['step'] = last.lastStep || 1;
  else if (open.step !== undefined) numbers['step'] = open.step;
  const known = Object.fromEntries(Object.entries(numbers).filter(([name]) => name in (data as object)));
  return { type, data: { ...(data as object), ...known }, ...(surface && { surface }) };
}

test('commit takes exactly what the domain allows, whatever is sent, doubled or out of place', async () => {
  const move = fc.record({ draft, guided: fc.integer({ min: 0, max: 4 }), time: fc.nat(50), again: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
      const { projection, ref } = await newSession();
      const rules = new Enclosure({ lastTurn: 0 });
      const taken: { event: AuthoredEvent; seq: number; time: number }[] = [];
      for (const [n, { draft: raw, guided: luck, time, again }] of moves.entries()) {
        const { type, data, surface } = luck > 0 ? guided(raw, rules.open, rules) : raw;
        const name = author('t1.s1.random' satisfies Author, n);
        const event = name(type, data as never, time, surface && { surfaceOp: surface });
        const forbidden = rules.check({ type, data, surfaceOp: surface });
        const send = () =>
          commit(projection, { ...ref, commit: { events: [event], highestAcknowledged: taken.length - 1 } });
        const answer = await send().catch((refusal: unknown) => refusal);
        if (forbidden !== undefined) {
          expect(answer, `${type}: ${forbidden}`).toBeInstanceOf(ProjectionError);
          expect((answer as ProjectionError).code).toBe('LOG_ENCLOSURE');
          continue;
        }
        const clamped = Math.max(time, taken.at(-1)?.time ?? 0);
        const ack = { eid: event.eid, seq: taken.length, time: clamped };
        expect(answer).toEqual({ acks: [ack] });
        taken.push({ event, ...ack });
        rules.apply({ type, data, surfaceOp: surface });
        if (again) expect(await send()).toEqual(answer);
      }
      const { events } = await readEvents(projection.database, { ...ref, from: 0, limit: 100 });
      expect(events).toEqual(
        taken.map(({ event: { type, data, surfaceOp }, seq, time }) => ({
          type,
          seq,
          time,
          data,
          ...(surfaceOp !== undefined && { surfaceOp }),
        })),
      );
      const violations = checkLog({ events }).filter(({ rule }) => rule !== 'dangling-call');
      expect(violations).toEqual([]);
      const head = await readHead(projection.database, ref);
      expect({ turn: head?.openTurn, step: head?.openStep }).toEqual({ turn: rules.open.turn, step: rules.open.step });
    }),
    { numRuns: 40 },
  );
}, 120_000);
