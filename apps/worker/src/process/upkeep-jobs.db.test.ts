import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { sessionWorkflowId } from '@everturn/core/protocol';
import { testTemporal } from '@everturn/core/testing';
import { maintainActivity } from '../activities/maintain.ts';
import { attempt } from '../activities/testing/test-process.ts';
import { closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
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
