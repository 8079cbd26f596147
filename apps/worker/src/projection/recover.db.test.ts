import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLog, text } from '@everturn/core/domain';
import type { CallId } from '@everturn/core/domain';
import { listInteractions } from '@everturn/core/postgres';
import { beginEffect } from './begin-effect.ts';
import { finishEffect } from './finish-effect.ts';
import type { WrittenEvent } from '../contract/index.ts';
import { recover } from './recover.ts';
import { author, closeTestProjection, newSession, openTestProjection } from './test/test-session.ts';
import { nothing, at, send, log, unadmittedTurn, deadTurn, results, closing } from './test/dead-turn.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

describe('recovering a turn', () => {
  test('real results where claims hold them, what is known of the rest, and every number of the dead', async () => {
    const session = await deadTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    const recovered = await recover(session.projection, input);
    expect(await closing(session)).toEqual(results);
    expect(recovered).toMatchObject({ generation: 2, lastTurn: 1, highestAcknowledged: 13, consumed: ['first'] });
    expect(recovered.acks.map(({ eid, seq, time }) => [eid, seq, time])).toEqual(
      Array.from({ length: 6 }, (_, n) => [`t1.s1.recovery~2/${n}`, 8 + n, expect.any(Number)]),
    );
    expect(recovered.found.chunks).toEqual([{ from: 3, to: 3 }]);
    expect((recovered.found.acks as { eid: string }[]).map(({ eid }) => eid)).toEqual([
      't1~1/0',
      't1~1/1',
      't1.s1~1/0',
      't1.s1~1/1',
      't1.s1~1/2',
      't1.s1~1/3',
    ]);
    expect(
      (recovered.found.events as WrittenEvent[]).map(({ event, seq }) => [event.eid, event.time === 9, seq]),
    ).toEqual([
      ['t1.s1.model~1/0', true, 4],
      ...Array.from({ length: 6 }, (_, n) => [`t1.s1.recovery~2/${n}`, false, 8 + n]),
    ]);
  });

  test('who was asked is asked no more: the pair is complete, and an answer finds nothing open', async () => {
    const session = await deadTurn();
    const waits = { ...at, state: 'open', answerTo: 'session:x/turn:1/step:1', request: {} } as const;
    const id = 't1.s1.c2.7';
    await send(session, [author('t1.s1.c2')('approval/asked', { id, toolName: 'bash' })], {
      interactions: [
        { ...waits, id, kind: 'approval', callId: 'c:ptc:7' },
        { ...waits, id: 't1.s1.c3', kind: 'question' },
      ],
    });
    await recover(session.projection, { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const events = await log(session);
    expect(events[9]).toMatchObject({ type: 'approval/decided', data: { id, outcome: 'cancelled' } });
    expect(checkLog({ events, tail: 'closed' })).toEqual([]);
    const rows = await listInteractions(session.projection.database, session.ref);
    expect(rows.map(({ state, outcome }) => [state, outcome])).toEqual([
      ['cancelled', 'cancelled'],
      ['cancelled', { kind: 'cancelled' }],
    ]);
  });

  test('calls of a program that were under way: what their claims hold, what is unknown, what never began', async () => {
    const session = await deadTurn();
    const sub = (n: number) => ({
      rootCallId: 'c' as CallId,
      parentCallId: 'c' as CallId,
      subCallId: `c:ptc:${n}` as CallId,
      name: 'bash',
      arguments: '{}',
    });
    const program = author('t1.s1.c2');
    await send(
      session,
      [1, 2, 3].map((n) => program('tool/ptc-dispatch-start', sub(n), 40)),
    );
    const { projection, ref } = session;
    for (const n of [1, 2]) {
      const begun = await beginEffect(projection, {
        ...ref,
        ...at,
        claim: `t1.s1.c2.${n}`,
        label: 'bash',
        commit: nothing,
      });
      if (begun.state !== 'granted') throw new Error(begun.state);
      const outcome = { content: [text('all of it')], isError: false, forProgram: { value: 1, logged: [text('it')] } };
      if (n === 1) await finishEffect(projection, { held: begun.held, outcome });
    }
    await recover(projection, { ...ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const events = await log(session);
    const settled = events.flatMap(({ type, data }) => (type === 'tool/ptc-dispatch' ? [data] : []));
    expect(settled).toMatchObject([
      { ...sub(1), content: [text('it')], isError: false },
      { ...sub(2), isError: true, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { ...sub(3), isError: true, error: { code: 'TOOL_NOT_STARTED' } },
    ]);
    expect(checkLog({ events, tail: 'closed' })).toEqual([]);
  });

  test('a plan that was approved in a program of the dead turn is approved', async () => {
    const session = await deadTurn();
    const [rootCallId, subCallId] = ['c', 'c:ptc:1'] as [CallId, CallId];
    const sub = { rootCallId, parentCallId: rootCallId, subCallId, name: 'exit_plan_mode', arguments: '{}' };
    const program = author('t1.s1.c2');
    await send(session, [
      author('t1', 5)('plan/mode', { active: true }),
      program('tool/ptc-dispatch-start', sub),
      program('tool/ptc-dispatch', { ...sub, content: [text('The plan is approved.')], isError: false }),
    ]);
    const { knobs } = await recover(session.projection, { ...session.ref, turn: 1, cause: 'killed', runId: 'run-1' });
    expect(knobs?.plan).toMatchObject({ active: true, next: { active: false } });
  });

  test('is done once however often it is tried, also at the same time', async () => {
    const session = await deadTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    const [first, second] = await Promise.all([recover(session.projection, input), recover(session.projection, input)]);
    const third = await recover(session.projection, input);
    for (const again of [second, third]) expect({ ...again, acks: [] }).toEqual({ ...first, acks: [] });
    expect(await closing(session)).toEqual(results);
  });

  test('shuts the dead out', async () => {
    const session = await deadTurn();
    await recover(session.projection, { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
    const late = author('t1.s1', 9)('step/end', at);
    await expect(send(session, [late])).rejects.toMatchObject({ code: 'LOG_FENCED' });
    await expect(
      recover(session.projection, { ...session.ref, turn: 1, cause: 'again', runId: 'another' }),
    ).rejects.toMatchObject({ code: 'LOG_FENCED' });
  });

  test('a turn that dies before it lets its message in has not used it; one that ended has', async () => {
    const session = await unadmittedTurn();
    const input = { ...session.ref, turn: 1, cause: 'terminated', runId: 'run-1' };
    expect(await recover(session.projection, input)).toMatchObject({ generation: 2, lastTurn: 1, consumed: [] });
    const ended = await unadmittedTurn();
    await send(ended, [], { prompts: [{ promptId: 'first', state: 'done', turn: 1 }] });
    expect(await recover(ended.projection, { ...input, ...ended.ref })).toMatchObject({ consumed: ['first'] });
  });

  test('a turn of the same number that dies again is closed off again', async () => {
    const session = await newSession();
    const input = { ...session.ref, turn: 1, cause: 'failed', runId: 'run-1' };
    expect(await recover(session.projection, input)).toMatchObject({ generation: 2, lastTurn: 0 });
    const again = { ...input, generation: 2 };
    expect(await recover(session.projection, again)).toMatchObject({ generation: 3, lastTurn: 0 });
    expect(await recover(session.projection, again)).toMatchObject({ generation: 3 });
  });

  test('a turn that never wrote leaves the log as it is', async () => {
    const session = await newSession();
    expect(await recover(session.projection, { ...session.ref, turn: 1, cause: 'failed', runId: 'run-1' })).toEqual({
      acks: [],
      generation: 2,
      lastTurn: 0,
      highestAcknowledged: -1,
      found: { events: [], acks: [], chunks: [], settled: [] },
      consumed: [],
    });
  });
});
