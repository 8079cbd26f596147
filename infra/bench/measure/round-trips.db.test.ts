import { expect, test } from 'vitest';
import pg from 'pg';
import { testDatabase } from '@everturn/core/testing';
import { startRoundTripCounter } from './round-trips.ts';

test('every statement a client waits for is counted once, transactions statement by statement', async () => {
  const database = await testDatabase();
  const counter = await startRoundTripCounter(database.url);
  const client = new pg.Client({ connectionString: counter.databaseUrl });
  await client.connect();
  counter.take();
  await client.query('begin');
  await client.query('select  $1::text', ['x'.repeat(200_000)]);
  await client.query('select\n$1::text', ['y']);
  await client.query('commit');
  expect(counter.take()).toEqual(
    new Map([
      ['begin', 1],
      ['select $1::text', 2],
      ['commit', 1],
    ]),
  );
  expect(counter.take()).toEqual(new Map());
  await client.end();
  await counter.close();
  await database.drop();
});
