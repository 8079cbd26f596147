import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testTemporal } from '@everturn/core/testing';
import { ensureUpkeep } from './ensure-upkeep.ts';

let client: Client;
const told: string[] = [];
const log = pino(
  { level: 'info' },
  { write: (line: string) => void told.push((JSON.parse(line) as { msg: string }).msg) },
);
beforeAll(async () => {
  const { address, namespace } = await testTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(() => client.connection.close());

test('makes one schedule for all workers of a deployment, and leaves the one there is alone', async () => {
  await ensureUpkeep({ client, queues: 'everturn', log });
  const handle = client.schedule.getHandle('maintenance:all');
  await handle.pause('an operator says so');
  await ensureUpkeep({ client, queues: 'everturn', log });
  await ensureUpkeep({ client, queues: 'blue', log });
  expect(await handle.describe()).toMatchObject({
    action: { workflowType: 'maintenanceWorkflow', taskQueue: 'everturn', args: [{ job: 'all' }] },
    spec: { intervals: [{ every: 900_000 }] },
    policies: { overlap: 'SKIP' },
    state: { paused: true },
  });
  const blue = await client.schedule.getHandle('maintenance:all@blue').describe();
  expect(blue.action).toMatchObject({ taskQueue: 'blue' });
  expect(told).toEqual(['upkeep is scheduled', 'upkeep is scheduled']);
});

test('says so and goes on where schedules may not be made', async () => {
  told.length = 0;
  const elsewhere = new Client({ connection: client.connection, namespace: 'not-registered' });
  await ensureUpkeep({ client: elsewhere, queues: 'everturn', log });
  expect(told).toEqual([expect.stringContaining('could not be scheduled')]);
});
