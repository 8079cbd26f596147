import { neededProgram, spawnProcess, waitFor } from '@everturn/core/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { startPgBouncer, type PgBouncer } from './support/pgbouncer.ts';
import { startStack, type Stack } from './support/stack.ts';

const program = neededProgram('pgbouncer');
const SERVER_CONNECTIONS = 5;
const SESSIONS = 50;
const ONE_CALL = [
  'turn/start',
  'user/message',
  'step/start',
  'request/header',
  'assistant/message',
  'tool/call call_1_1',
  'tool/result call_1_1 ok',
  'step/end',
  'step/start',
  'assistant/message',
  'step/end',
  'turn/end completed',
];

describe.skipIf(program.absent)(`behind a pooler in transaction mode${program.note}`, () => {
  let stack: Stack;
  let pooler: PgBouncer;
  beforeAll(async () => {
    stack = await startStack({
      through: async (databaseUrl) => {
        const serverConnections = SERVER_CONNECTIONS;
        pooler = await startPgBouncer({ file: program.file, databaseUrl, serverConnections });
        return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl };
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await pooler?.stop();
  });

  /** Connections to the test's database by the name of who asked for them; the pooler passes that name on. */
  async function connections(): Promise<Record<string, number>> {
    const { rows } = await sql<{ name: string; count: number }>`
      select application_name as name, count(*) as count from pg_stat_activity
      where datname = current_database() and application_name like 'everturn-%' group by 1`.execute(stack.database);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }

  test(`${SESSIONS} sessions at once, each with a tool call, share ${SERVER_CONNECTIONS} connections`, async () => {
    const options = scripted(stack, 'pooled', (request) => callsThenDone(bash(`echo ${request.lastUser}`))(request));
    const words = Array.from({ length: SESSIONS }, (_, index) => `word-${index}`);
    const sessions = await Promise.all(words.map(() => stack.api.create(options)));
    await Promise.all(sessions.map((session, index) => stack.api.prompt(session, words[index] ?? '')));
    let most = 0;
    await waitFor(
      async () => {
        const { 'everturn-worker': worker = 0, 'everturn-api': api = 0 } = await connections();
        most = Math.max(most, worker + api);
        const { rows } = await sql`
          select distinct session_id from session_events where type = 'turn/end'`.execute(stack.database);
        return rows.length === SESSIONS;
      },
      { what: 'all turns to end', timeoutMs: 300_000, everyMs: 50 },
    );
    const logs = await Promise.all(
      sessions.map(async (session) => ({ session, log: await stack.api.events(session) })),
    );
    expect(logs.map(({ log }) => logLines(log))).toEqual(words.map(() => ONE_CALL));
    expect(logs.map(({ log }) => resultText(log, 'call_1_1').trim())).toEqual(words);
    for (const { session } of logs) await expectSound(stack, session);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    expect(pooler.logs()).not.toMatch(/prepared statement|unsupported/i);
  });

  test('commits are announced past the pooler, not found by polling', async () => {
    expect((await connections())['everturn-api-listen']).toBe(1);
    const session = await stack.api.create(
      scripted(stack, 'announced', () => ({
        text: ['delta-one ', 'and the rest'],
        hold: { gate: 'announced', afterDeltas: 1 },
      })),
    );
    let seenAt = 0;
    const followed = stack.api.follow(session, (events) => {
      if (seenAt === 0 && JSON.stringify(events).includes('delta-one')) seenAt = Date.now();
      return events.at(-1)?.type === 'turn/end' || seenAt > 0;
    });
    await stack.api.prompt(session, 'go');
    await stack.model.held('announced');
    const sentAt = Date.now();
    await followed;
    stack.model.release('announced');
    // The slow poll that backs the announcements comes every five seconds.
    expect(seenAt - sentAt).toBeLessThan(1_500);
    await stack.api.turnEnded(session);
  });

  test('an API that would not hear anything refuses to start, and says what to set', async () => {
    const start = (direct: string | undefined) =>
      spawnProcess('apps/api/src/main.ts', {
        ...stack.environment,
        DATABASE_DIRECT_URL: direct,
        EVERTURN_API_PORT: '0',
      });
    await expect(start(undefined)).rejects.toThrow(
      /POSTGRES_NOT_DIRECT.*set DATABASE_DIRECT_URL to the address of the server itself/,
    );
    const other = new URL(stack.databaseUrl);
    other.pathname = '/postgres';
    await expect(start(other.href)).rejects.toThrow(
      /POSTGRES_OTHER_DATABASE.*DATABASE_DIRECT_URL leads to another database/,
    );
  });
});
