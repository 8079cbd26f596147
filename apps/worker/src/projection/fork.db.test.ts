import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentLines, text, type SessionId } from '@everturn/core/domain';
import {
  agentsBelow,
  forkBoundary,
  lastTurnEnd,
  lastWords,
  readHead,
  readProjections,
  startSessionRow,
} from '@everturn/core/postgres';
import { commit } from './commit.ts';
import { openLog } from './open-log.ts';
import { sessionPermissions } from './session-permissions.ts';
import { author, closeTestProjection, newSession, openTestProjection, source } from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

test('a fork has the goal of its seed, disarmed, its permissions, and none of its reminders', async () => {
  const parent = await newSession();
  const { database } = parent.projection;
  const turn = author('t1');
  const goal = {
    id: 'goal-00000000-0000-4000-8000-000000000001',
    revision: 1,
    objective: 'ship it',
    phase: 'active',
    maxGoalRounds: 5,
  } as const;
  const schedule = { id: 'schedule-1', kind: 'at', prompt: 'look', scheduledAt: '2030-01-01T00:00:00.000Z' } as const;
  const stamps = { roundsStarted: 0, createdAt: 1, updatedAt: 1 };
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('goal/change', { kind: 'goal/change', version: 1, operation: 'create', goal, ...stamps } as never),
    turn('schedule/change', { version: 1, operation: 'create', schedule } as never),
    turn('sandbox/mode', { mode: 'read-only' }),
    turn('approval/policy', { policy: 'never' }),
    author('t1.s1')('step/start', { turn: 1, step: 1 }),
    author('t1.s1', 1)('request/header', { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' }),
    author('t1.s1', 2)('step/end', { turn: 1, step: 1 }),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ];
  await commit(parent.projection, { ...parent.ref, commit: { events, highestAcknowledged: -1 } });
  const { session, tenant } = parent.ref;
  const own = await openLog(parent.projection, { ...parent.ref, intent: 'resume', runId: 'run-2' });
  expect(own).toMatchObject({ reminders: { created: 1, armed: [expect.anything()] } });
  const fork = { tenant, session: `${session}-fork` as SessionId };
  await startSessionRow(database, {
    ...fork,
    header: { version: 0, parentSession: session, seedLength: events.length },
    options: {},
    parent: session,
  });
  const answer = await openLog(parent.projection, { ...fork, intent: 'open', runId: 'run-1' });
  expect(answer).toMatchObject({ kind: 'opened', lastTurn: 1, goal: { record: { goal }, activation: 'disarmed' } });
  // Its first header says `resume`, though the session itself starts up.
  expect(answer).toMatchObject({ instance: { logHadHeader: true, startSource: 'startup' } });
  expect(answer).not.toHaveProperty('reminders');
  // What was counted one by one is counted again where rows are copied.
  const told = async (of: typeof fork) => {
    const { stats, asOfSeq, goal: its } = (await readProjections(database, of)) ?? {};
    return { stats, asOfSeq, goal: its };
  };
  expect(await told(fork)).toEqual(await told(parent.ref));
  expect((await told(fork)).stats).toMatchObject({ turns: 1, steps: 1, messages: 0 });
  // Whatever the parent does since, it has what the seed said.
  const later = author('t2');
  const changed = [
    later('turn/start', { turn: 2, trigger: { kind: 'message', source } }),
    later('sandbox/mode', { mode: 'danger-full-access' }),
    later('turn/end', { turn: 2, reason: { kind: 'completed' } }),
  ];
  await commit(parent.projection, {
    ...parent.ref,
    generation: 2,
    commit: { events: changed, highestAcknowledged: -1 },
  });
  const modes = [fork, { tenant, session }].map(
    async (key) => (await sessionPermissions(parent.projection, { ...key, generation: 2 }, 'workspace-write')).now,
  );
  expect(await Promise.all(modes)).toMatchObject([
    { sandbox: 'read-only', approval: 'never' },
    { sandbox: 'danger-full-access', approval: 'never' },
  ]);
});

test('what an agent is, said and came to is told by its own part of its log, not by what it began with', async () => {
  const { projection, ref } = await newSession();
  const { tenant, session } = ref;
  const child = { tenant, session: `${session}-child` as SessionId };
  const said = (turn: ReturnType<typeof author>, words: string) =>
    turn(
      'assistant/message',
      { turn: 1, step: 1, content: words === '' ? [] : [text(words)], provenance: { provider: 'p', model: 'm' } },
      0,
      { surfaceOp: 'append' },
    );
  const turn = author('t1');
  const seed = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('subagent/descriptor', { version: 2, mode: 'continuable', provider: 'spawn', label: 'an ancestor' }),
    turn('step/start', { turn: 1, step: 1 }),
    said(turn, 'of the one before'),
    turn('step/end', { turn: 1, step: 1 }),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ];
  await commit(projection, { ...ref, commit: { events: seed, highestAcknowledged: -1 } });
  const header = { version: 0, origin: 'subagent', parentSession: session, seedLength: seed.length } as const;
  await startSessionRow(projection.database, { ...child, header, options: {}, parent: session });
  await openLog(projection, { ...child, intent: 'open', runId: 'run-1' });
  const own = { ...child, from: seed.length };
  const seen = async () => [
    await lastWords(projection.database, own),
    await lastTurnEnd(projection.database, own),
    agentLines(session, await agentsBelow(projection.database, ref, 10), 'descendants'),
  ];
  expect(await seen()).toEqual(['', undefined, []]);

  const next = author('t2');
  const chunk = (delta: string) =>
    next('assistant/chunk', { turn: 2, step: 1, chunk: { type: 'text-delta', index: 0, text: delta } } as never);
  const write = async (...events: typeof seed) =>
    commit(projection, { ...child, generation: 1, commit: { events, highestAcknowledged: -1 } });
  await write(
    next('turn/start', { turn: 2, trigger: { kind: 'message', source } }),
    next('subagent/descriptor', { version: 2, mode: 'continuable', provider: 'fork', label: 'itself' }),
    next('step/start', { turn: 2, step: 1 }),
    chunk('only '),
    chunk('streamed'),
  );
  expect(await seen()).toEqual([
    'only streamed',
    undefined,
    [`${child.session} [inactive] — itself parent=${session} depth=1`],
  ]);
  await write(next('step/end', { turn: 2, step: 1 }), next('turn/end', { turn: 2, reason: { kind: 'aborted' } }));
  expect((await seen()).slice(0, 2)).toEqual(['only streamed', { kind: 'aborted' }]);
});

test('a seed that takes longer than an attempt is copied on from where the last one stopped', async () => {
  const { projection, ref } = await newSession();
  const { database } = projection;
  const { tenant, session } = ref;
  const turn = author('t1');
  const said = (at: number) =>
    turn('user/message', { content: [text(`${at}`.repeat(700_000))], source }, at, { surfaceOp: 'append' });
  const seed = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    ...[1, 2, 3, 4].map(said),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }, 5),
  ];
  await commit(projection, { ...ref, commit: { events: seed, highestAcknowledged: -1 } });
  const fork = { tenant, session: `${session}-long` as SessionId };
  const header = { version: 0, parentSession: session, seedLength: seed.length } as const;
  await startSessionRow(database, { ...fork, header, options: {}, parent: session });

  await sql`
    create function fail_copy() returns trigger language plpgsql as $$ begin raise exception 'no time left'; end $$;
    create trigger fail_copy before insert on session_events for each row
      when (new.eid = 'seed/5') execute function fail_copy()`.execute(database);
  const open = () => openLog(projection, { ...fork, intent: 'open', runId: 'run-1' });
  await expect(open()).rejects.toThrow('no time left');
  const rows = async (of: SessionId) =>
    (
      await sql`select seq, type, time, data, turn from session_events where session_id = ${of} order by seq`.execute(
        database,
      )
    ).rows;
  expect((await rows(fork.session)).length).toBeGreaterThanOrEqual(3);
  expect(await readHead(database, fork)).toMatchObject({ nextSeq: 0, lastTurn: 0 });
  expect(await forkBoundary(database, fork)).toEqual({ kind: 'none' });

  await sql`drop trigger fail_copy on session_events`.execute(database);
  expect(await open()).toMatchObject({ kind: 'opened', lastTurn: 1, highestAcknowledged: 5 });
  expect(await rows(fork.session)).toEqual(await rows(session));
  expect(await readHead(database, fork)).toMatchObject({ nextSeq: 6, lastTurn: 1, lastTime: 5 });
  expect(await forkBoundary(database, fork)).toEqual({ kind: 'at', seq: 5 });
});
