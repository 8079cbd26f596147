import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, readEvents } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { commit } from './commit.ts';
import { openProjection } from './projection.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  source,
  testDatabaseUrl,
} from './test/test-session.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const begin = (session: string) =>
  author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, session.length);

async function administrator(): Promise<Client> {
  const client = new Client({ connectionString: testDatabaseUrl() });
  await client.connect();
  return client;
}

test('a connection that is killed in the middle of a commit leaves nothing behind, and the next commit works', async () => {
  const { ref } = await newSession();
  const database = openDatabase(testDatabaseUrl(), { applicationName: 'victim' });
  const projection = openProjection({ database, owner: 'victim' });
  const admin = await administrator();
  const event = begin(ref.session);
  const send = () => commit(projection, { ...ref, commit: { events: [event], highestAcknowledged: -1 } });
  try {
    // Somebody holds the head, so that the commit hangs in the middle and can be killed there.
    await admin.query('begin');
    await admin.query('select from log_heads where session_id = $1 for update', [ref.session]);
    const hanging = send().catch((error: unknown) => error);
    const killer = await administrator();
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'victim' and wait_event_type = 'Lock'`;
    await waitFor(async () => (await killer.query(kill)).rowCount === 1, { what: 'the commit to wait for its lock' });
    await killer.end();
    expect(await hanging).toMatchObject({ code: 'PROJECTION_UNAVAILABLE', retryable: true });
    await admin.query('rollback');
    expect(await readEvents(database, { ...ref, from: 0, limit: 9 })).toEqual({ events: [] });
    const first = await send();
    expect(first.acks).toMatchObject([{ seq: 0 }]);
    // The answer may get lost just as well: the same commit again is answered the same.
    expect(await send()).toEqual(first);
  } finally {
    await admin.end();
    await database.destroy();
  }
});

test('connections that are killed while idle do not end the process', async () => {
  const { ref } = await newSession();
  const lost: Error[] = [];
  const database = openDatabase(testDatabaseUrl(), {
    applicationName: 'idle',
    onConnectionError: (error) => lost.push(error),
  });
  const projection = openProjection({ database, owner: 'idle' });
  const send = () => commit(projection, { ...ref, commit: { events: [begin(ref.session)], highestAcknowledged: -1 } });
  const admin = await administrator();
  try {
    const first = await send();
    await projection.notifier.flushed();
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'`);
    await waitFor(() => lost.length > 0, { what: 'the pool to notice' });
    expect(await send()).toEqual(first);
  } finally {
    await admin.end();
    await database.destroy();
  }
});
