import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type TestDatabase, testDatabase, waitFor } from '../testing/index.ts';
import { openDatabase } from './database.ts';
import { openNotifications } from './notifications.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function query(sql: string, values: string[] = []): Promise<void> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(sql, values);
  } finally {
    await client.end();
  }
}
const notify = (payload: string) => query('select pg_notify($1, $2)', ['news', payload]);

/** Something between us and the server: it passes bytes on, lets them vanish, or speaks like a pooler. */
async function betweenUs(rewrite: (answer: Buffer) => Buffer = (answer) => answer) {
  const target = new URL(database.url);
  const pairs: Socket[] = [];
  const silent = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pairs.push(near, far);
    near.on('data', (data) => silent.has(near) || far.write(data));
    far.on('data', (data) => silent.has(near) || near.write(rewrite(data)));
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.port = String((server.address() as AddressInfo).port);
  const close = () => {
    for (const socket of pairs) socket.destroy();
    server.close();
  };
  /** From now on nothing passes on the connections there are. */
  const silence = () => pairs.forEach((socket) => silent.add(socket));
  return { url: url.href, silence, close };
}

async function listening(url: string, checkEveryMs = 5_000) {
  const heard: string[] = [];
  const log: string[] = [];
  const notifications = await openNotifications({ url, channel: 'news', applicationName: 'ears', checkEveryMs });
  notifications.subscribe((payload) => {
    heard.push(payload);
    throw new Error('a reader failed');
  });
  const stop = notifications.subscribe((payload) => log.push(payload));
  notifications.onReconnect(() => log.push('reconnected'));
  return { notifications, heard, log, stop };
}

/** How many listen. */
async function ears(): Promise<number> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select 1 from pg_stat_activity where application_name = 'ears'`);
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

test('every reader hears every payload, whatever another one does', async () => {
  const { notifications, heard, log, stop } = await listening(database.url);
  await notify('one');
  await waitFor(() => log.length === 1, { what: 'the first payload' });
  stop();
  await notify('two');
  await waitFor(() => heard.length === 2, { what: 'the second payload' });
  expect({ heard, log }).toEqual({ heard: ['one', 'two'], log: ['one'] });
  await notifications.close();
});

test('a killed connection is replaced, and readers are told to catch up before they hear more', async () => {
  const { notifications, log } = await listening(database.url);
  await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ears'`);
  await waitFor(() => log.length === 1, { what: 'the new connection' });
  await notify('after');
  await waitFor(() => log.length === 2, { what: 'the payload after' });
  expect(log).toEqual(['reconnected', 'after']);
  await notifications.close();
});

test('a connection that falls silent without a word is replaced', async () => {
  const between = await betweenUs();
  const { notifications, log } = await listening(between.url, 500);
  between.silence();
  await notify('lost');
  await waitFor(() => log.includes('reconnected'), { what: 'the new connection' });
  // A busy server can pass for a silent one: that costs another connection, and what is said meanwhile.
  await waitFor(() => notify('heard').then(() => log.includes('heard')), { what: 'a payload' });
  expect(log[0]).toBe('reconnected');
  expect(new Set(log)).toEqual(new Set(['reconnected', 'heard']));
  await notifications.close();
  between.close();
});

test('a pooler is refused at the start, since notifications would get lost behind it', async () => {
  // Like a pooler, it greets with a process id of its own (message K: length 12, pid, key).
  const between = await betweenUs((answer) => {
    const greeting = answer.indexOf(Buffer.from([0x4b, 0, 0, 0]));
    if (greeting >= 0) answer.writeInt32BE(4711, greeting + 5);
    return answer;
  });
  await expect(openNotifications({ url: between.url, channel: 'news' })).rejects.toMatchObject({
    code: 'POSTGRES_NOT_DIRECT',
  });
  between.close();
});

test('an address that leads to another database than the one that notifies is refused at the start', async () => {
  const [here, elsewhere] = [openDatabase(database.url), await testDatabase()];
  const there = openDatabase(elsewhere.url);
  const heard = await openNotifications({ url: database.url, channel: 'news', sameAs: here });
  await heard.close();
  await expect(openNotifications({ url: database.url, channel: 'news', sameAs: there })).rejects.toMatchObject({
    code: 'POSTGRES_OTHER_DATABASE',
  });
  await Promise.all([here.destroy(), there.destroy()]);
  await elsewhere.drop();
});

test('a statement without an answer fails in time, and the next one gets another connection', async () => {
  const between = await betweenUs();
  const pool = openDatabase(between.url, { queryTimeoutMs: 300, maxConnections: 1 });
  const one = () => pool.selectNoFrom((value) => value.lit(1).as('one')).executeTakeFirst();
  expect(await one()).toEqual({ one: 1 });
  between.silence();
  await expect(one()).rejects.toThrow('Query read timeout');
  expect(await one()).toEqual({ one: 1 });
  await pool.destroy();
  between.close();
});

describe('a server that drops whoever greets it', () => {
  /** Drops those who come until it is told to lead them to the server. */
  async function dropping() {
    let came = 0;
    let leads = false;
    const target = new URL(database.url);
    const server = createServer((near) => {
      came += 1;
      near.on('error', () => undefined);
      if (!leads) return near.once('data', () => near.end());
      const far = connect(Number(target.port), target.hostname);
      far.on('error', () => undefined);
      return near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = new URL(database.url);
    url.port = String((server.address() as AddressInfo).port);
    return { url: url.href, came: () => came, lead: (on: boolean) => void (leads = on) };
  }

  test('is tried once by who opens, and not again behind their back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, came } = await dropping();
    const errors: Error[] = [];
    await expect(openNotifications({ url, channel: 'news', onError: (error) => errors.push(error) })).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([came(), vi.getTimerCount(), errors]).toEqual([1, 0, []]);
  });

  test('is tried again by who listened, until one connection hears everything once', async () => {
    const { url, came, lead } = await dropping();
    lead(true);
    const { notifications, log } = await listening(url);
    lead(false);
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ears'`);
    await waitFor(() => came() >= 4, { what: 'a third attempt' });
    lead(true);
    await waitFor(() => log.includes('reconnected'), { what: 'the new connection' });
    await notify('after');
    await waitFor(() => log.includes('after'), { what: 'the payload after' });
    expect(log).toEqual(['reconnected', 'after']);
    await notifications.close();
    await waitFor(async () => (await ears()) === 0, { what: 'no connection to be left' });
  });

  test('leaves nothing of who closes while they connect', async () => {
    const { url, came, lead } = await dropping();
    lead(true);
    const { notifications, log } = await listening(url);
    lead(false);
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ears'`);
    await waitFor(() => came() >= 2, { what: 'an attempt' });
    await notifications.close();
    lead(true);
    const other = await listening(url);
    const attempts = came();
    await waitFor(async () => (await ears()) === 1, { what: 'the other alone' });
    expect([log, came()]).toEqual([[], attempts]);
    await other.notifications.close();
  });
});
