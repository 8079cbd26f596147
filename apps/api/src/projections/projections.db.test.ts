import { sql, type Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { changeGoal, isChanged, NO_GOAL, type CallId, type GoalId } from '@everturn/core/domain';
import { readProjections, type Database, type Tables } from '@everturn/core/postgres';
import { NO_USAGE } from '@everturn/core/protocol';
import { openTestDatabase } from '@everturn/core/testing';
import { openProjection } from '../../../worker/src/projection/index.ts';
import { LogWriter } from '../../test/support/log-writer.ts';
import { ProjectionsService } from './projections.service.ts';

const { database, drop } = await openTestDatabase();
const projection = openProjection({ database, owner: 'projections' });
const service = new ProjectionsService(database);
afterAll(async () => {
  await projection.notifier.flushed();
  await drop();
});

const append = { surfaceOp: 'append' } as const;
const at = { turn: 1, step: 1 };

test('what a log comes to is told as of one event: the goal as it stands, counts, tokens and dollars', async () => {
  const writer = await LogWriter.open(projection);
  const read = () => service.read(writer.key);
  expect(await read()).toMatchObject({ asOfSeq: -1, goal: null, todos: null, plan: null, title: null, usage: {} });
  await writer.beginTurn();
  const goalId = 'goal-00000000-0000-4000-8000-000000000001' as GoalId;
  const made = changeGoal(
    NO_GOAL,
    { operation: 'create', objective: 'count', maxGoalRounds: 3 },
    { now: 1, newId: goalId },
  );
  if (!isChanged(made)) throw new Error(made.message);
  const callId = 'c1' as CallId;
  const result = { ...at, callId, content: [{ type: 'text' as const, text: 'no' }], isError: true };
  const round = { kind: 'goal' as const, goalId, revision: 1, round: 1 };
  await writer.commit(
    [
      writer.event('goal/change', made.change),
      writer.event('todo/write', { todos: [{ content: 'look', status: 'pending' }] }),
      writer.event('plan/mode', { active: true }),
      writer.event('plan/mode', { active: false }),
      writer.event('tool/call', { ...at, callId, name: 'bash', arguments: '{}' }),
      writer.event('tool/result', result, 0, append),
      writer.event('user/message', { content: [{ type: 'text', text: 'round' }], source: round }, 0, append),
    ],
    { usage: { ...NO_USAGE, inputTokens: 1_000, outputTokens: 10, costUsd: 0.0021, steps: 1, turns: 0 } },
  );
  const seen = {
    asOfSeq: 9,
    todos: [{ content: 'look', status: 'pending' }],
    title: null,
    plan: { active: false },
    goal: {
      id: goalId,
      revision: 1,
      objective: 'count',
      phase: 'active',
      maxGoalRounds: 3,
      roundsStarted: 1,
    },
    stats: { turns: 1, steps: 1, messages: 2, toolCalls: 1, failedCalls: 1, summaries: 0 },
    usage: { ...NO_USAGE, inputTokens: 1_000, outputTokens: 10, costUsd: 0.0021, steps: 1, turns: 0 },
  };
  expect(await read()).toEqual(seen);
  const cleared = changeGoal(
    { ...made.state, record: { ...made.state.record!, roundsStarted: 1 } },
    { operation: 'clear', ref: { id: goalId, revision: 1 } },
    { now: 2, newId: goalId },
  );
  if (!isChanged(cleared)) throw new Error(cleared.message);
  await writer.commit([writer.event('goal/change', cleared.change)]);
  expect(await read()).toEqual({ ...seen, asOfSeq: 10, goal: null });
});

test('however long a log is, a few of its rows tell what it comes to', async () => {
  const writer = await LogWriter.open(projection);
  await writer.beginTurn();
  const said = (n: number) => ({
    content: [{ type: 'text' as const, text: `${n}` }],
    source: { kind: 'user' as const },
  });
  await writer.commit([writer.event('todo/write', { todos: [] })]);
  await writer.commit(
    Array.from({ length: 199 }, (_, n) =>
      n % 2 === 0
        ? writer.event('context/message', said(n), 0, append)
        : writer.event('user/message', said(n), 0, append),
    ),
  );
  const read = await database.transaction().execute(async (transaction) => {
    // While the table is small its statistics would have all of it read.
    await sql`set local enable_seqscan = off`.execute(transaction);
    const before = await rowsRead(transaction);
    const told = await readProjections(transaction as unknown as Database, writer.key);
    expect(told).toMatchObject({ asOfSeq: 202, stats: { turns: 1, steps: 1, messages: 100 }, todos: [] });
    return (await rowsRead(transaction)) - before;
  });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(10);
});

/** Entries of the log's indexes and rows of its table that this connection has read. */
async function rowsRead(executor: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)) as read from (
      select 'session_events'::regclass as oid
      union all select indexrelid from pg_index where indrelid = 'session_events'::regclass) as parts`.execute(
    executor,
  );
  return Number(rows[0]?.read);
}
