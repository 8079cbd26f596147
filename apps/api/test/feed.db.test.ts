import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TenantId } from '@everturn/core/domain';
import { feedEnd, openDatabase, readFeed } from '@everturn/core/postgres';
import { startServer, waitFor } from '@everturn/core/testing';
import { openProjection } from '../../worker/src/projection/index.ts';
import { LogWriter } from './support/log-writer.ts';

const tenant = 'acme' as TenantId;

test('a crash of the server takes back transaction numbers, and nothing that comes later is lost to a follower', async () => {
  const server = await startServer('postgres');
  const database = openDatabase(server.url);
  const projection = openProjection({ database, owner: 'feed-test' });
  const writer = await LogWriter.open(projection, tenant);
  await writer.beginTurn();
  await projection.notifier.flushed();
  // Each takes a number, and its commit is not waited for: killed within the next moment, the server forgets them.
  for (let times = 0; times < 10; times += 1) await sql`select pg_notify('elsewhere', 'news')`.execute(database);
  const after = await feedEnd(database, tenant);
  await server.kill9();
  await server.start();
  await waitFor(() => writer.endTurn().then(() => true), { what: 'a commit', timeoutMs: 30_000 });
  const { rows } = await readFeed(database, { tenant, after, limit: 10 });
  expect(rows.map(({ type }) => type)).toEqual(['step/end', 'turn/end']);
  await projection.notifier.flushed();
  await database.destroy();
  await server.drop();
});
