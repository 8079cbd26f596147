import { Client } from 'pg';
import { Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { startServer, testDatabase, testTemporal, waitFor } from './index.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('each test database is its own, and gone when dropped', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  await query(one.url, 'create table marks (n int)');
  expect(await query(two.url, `select to_regclass('marks') as found`)).toEqual([{ found: null }]);
  await Promise.all([one.drop(), two.drop()]);
  await expect(query(one.url, 'select 1')).rejects.toThrow('does not exist');
});

test('a test namespace is served, keeps histories 30 days, and knows the search attributes', async () => {
  const { address, namespace } = await testTemporal();
  const connection = await Connection.connect({ address });
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  await connection.close();
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60);
  expect(Object.keys(customAttributes ?? {})).toEqual(
    expect.arrayContaining(['EverturnSession', 'EverturnTool', 'EverturnTokens']),
  );
});

test('a killed Postgres comes back on its port with every acknowledged row', async () => {
  const server = await startServer('postgres');
  try {
    await query(server.url, 'create table marks (n int); insert into marks values (1)');
    const { pid } = server;
    await server.kill9();
    await expect(query(server.url, 'select 1')).rejects.toThrow();
    await server.start();
    expect(server.pid).not.toBe(pid);
    expect(await query(server.url, 'select n from marks')).toEqual([{ n: 1 }]);
  } finally {
    await server.drop();
  }
});

test('a killed Temporal comes back on its port with its namespaces', async () => {
  const server = await startServer('temporal');
  try {
    await server.kill9();
    await server.start();
    const connection = await waitFor(() => Connection.connect({ address: server.url }), { what: 'Temporal' });
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'everturn' });
    await connection.close();
    expect(namespaceInfo?.name).toBe('everturn');
  } finally {
    await server.drop();
  }
});
