import { Client, Connection } from '@temporalio/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { sessionWorkflowId } from '@everturn/core/protocol';
import { testTemporal } from '@everturn/core/testing';
import { maintainActivity } from '../activities/maintain.ts';
import { attempt } from '../activities/testing/test-process.ts';
import { commit, sealDue } from '../projection/index.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  source,
} from '../projection/test/test-session.ts';
import { checkStoredLog } from '../projection/verify/stored-log.ts';
import { upkeepJobs } from './upkeep-jobs.ts';

let client: Client;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  const { address, namespace } = await testTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(async () => {
  await client.connection.close();
  await closeTestProjection();
});

const tenant = 'acme' as TenantId;

test('starts the workflow of a session whose birth stopped half-way, and of no other', async () => {
  const [stuck, fresh] = ['stuck', 'fresh'] as SessionId[] as [SessionId, SessionId];
  for (const session of [stuck, fresh]) {
    await startSessionRow(projection.database, { tenant, session, header: { version: 0 }, options: {} });
  }
  await projection.database
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 120_000) })
    .where('id', '=', stuck)
    .execute();
  const maintain = maintainActivity(upkeepJobs({ projection, client, queues: 'upkeep' }));
  const once = await attempt(maintain, { job: 'sweep' }).result;
  const again = await attempt(maintain, { job: 'all' }).result;
  expect([once.swept, again.swept]).toEqual([1, 1]);
  const handle = client.workflow.getHandle(sessionWorkflowId(stuck));
  expect(await handle.describe()).toMatchObject({ type: 'sessionWorkflow', taskQueue: 'upkeep' });
  await expect(client.workflow.getHandle(sessionWorkflowId(fresh)).describe()).rejects.toThrow('not found');
  await handle.terminate();
});

test('drops agents nobody has started for a week, and neither younger ones nor those that only wait for a worker', async () => {
  const { database } = projection;
  const names = ['left', 'young', 'waits'] as SessionId[];
  for (const session of names) {
    const header = { version: 0 as const, origin: 'subagent' as const };
    await startSessionRow(database, { tenant, session, header, options: {} });
  }
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  await database.updateTable('sessions').set({ created_at: old }).where('id', 'in', ['left', 'waits']).execute();
  const workflowId = sessionWorkflowId('waits' as SessionId);
  const waiting = await client.workflow.start('sessionWorkflow', { workflowId, taskQueue: 'nobody', args: [] });
  const maintain = maintainActivity(upkeepJobs({ projection, client, queues: 'upkeep' }));
  await attempt(maintain, { job: 'sweep' }).result;
  const rows = await database.selectFrom('sessions').select('id').where('id', 'in', names).orderBy('id').execute();
  expect(rows.map(({ id }) => id)).toEqual(['waits', 'young']);
  await waiting.terminate();
});

test('a job that fails does not keep the others from running, and is told', async () => {
  const ran: string[] = [];
  const maintain = maintainActivity({
    sweep: async () => {
      throw new Error('Temporal is away');
    },
    seal: async () => {
      ran.push('seal');
      return { sealed: 2 };
    },
    expire: async () => {
      ran.push('expire');
      return {};
    },
    collect: async () => ({ collected: 1 }),
  });
  await expect(attempt(maintain, { job: 'all' }).result).rejects.toThrow('"sealed":2');
  expect(ran).toEqual(['seal', 'expire']);
});

/** A session with a finished turn of which no history tells. */
async function unheardTurn(): Promise<string> {
  const { ref } = await newSession();
  const turn = author('t1');
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ];
  await commit(projection, { ...ref, commit: { events, highestAcknowledged: -1 } });
  return `${ref.tenant}/${ref.session}`;
}

test('sessions that cannot be sealed keep no other from being sealed', async () => {
  const sessions = [await unheardTurn(), await unheardTurn()];
  const due = { endedForMs: 0, limit: 1, progress: () => undefined };
  const named = (lines: readonly string[]) => lines.map((line) => line.replace(/:.*/, ''));
  const tried: string[] = [];
  for (const _ of sessions) {
    const { diverged } = await sealDue(projection, { client: client.workflow }, due);
    tried.push(...named(diverged));
  }
  expect(new Set(tried)).toEqual(new Set(sessions));

  // A server that is away fails for every session: two may be the sessions' own fault, a third is not.
  const connection = await Connection.connect({ address: (await testTemporal()).address, interceptors: [] });
  await connection.close();
  const away = { client: new Client({ connection }).workflow };
  const report = await sealDue(projection, away, { ...due, limit: 10 });
  expect(named(report.unsealed).toSorted()).toEqual(sessions.toSorted());
  await unheardTurn();
  await expect(sealDue(projection, away, { ...due, limit: 10 })).rejects.toThrow();
});

test('a long log is checked page by page, with a sign of life for each', async () => {
  const { ref } = await newSession();
  const at = { turn: 1, step: 1 };
  const turn = author('t1');
  const step = author('t1.s1');
  const opening = [turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }), step('step/start', at)];
  await commit(projection, { ...ref, commit: { events: opening, highestAcknowledged: -1 } });
  await sql`
    insert into session_events (session_id, seq, tenant, type, time, eid, content_hash, data, turn, step)
    select session_id, n, tenant, 'assistant/chunk', time, 't1.s1.chunks~1/' || n,
      content_hash('assistant/chunk', time, null, data), data, 1, 1
    from (
      select *, '{"chunk":{"index":0,"text":"a","type":"text-delta"},"step":1,"turn":1}' as data
      from (select session_id, tenant, time from session_events where session_id = ${ref.session} and seq = 1) as opened,
        generate_series(2, 2500) as n) as rows`.execute(projection.database);
  await sql`update log_heads set next_seq = 2501 where session_id = ${ref.session}`.execute(projection.database);
  let signs = 0;
  const check = () => checkStoredLog(projection, { ...ref, gaps: [], progress: () => (signs += 1) });
  expect(await check()).toEqual([]);
  expect(signs).toBe(3);
  await sql`update session_events set data = replace(data, '"a"', '"b"') where session_id = ${ref.session} and seq = 2400`.execute(
    projection.database,
  );
  expect(await check()).toMatchObject([{ by: 'rows', seq: 2400 }]);
});
