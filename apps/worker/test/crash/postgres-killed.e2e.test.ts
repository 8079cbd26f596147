import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack({ own: ['postgres'] })));
afterAll(() => stack?.stop());

test('killed while the model streams: nothing served is taken back, everything waits, then goes on', async () => {
  const options = scripted(stack, 'outage', () => ({
    text: ['before ', 'the outage, ', 'after it'],
    hold: { gate: 'outage', afterDeltas: 1 },
  }));
  const session = await stack.api.create(options);
  const followed = stack.api.follow(session, (events) => events.at(-1)?.type === 'turn/end');
  await stack.api.prompt(session, 'go');
  await stack.model.held('outage');
  const served = await stack.api.until(
    session,
    'a chunk',
    (events) => events.some(({ type }) => type === 'assistant/chunk') && events,
  );
  await stack.postgresServer?.kill9();
  stack.model.release('outage');
  const refused = await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content: 'lost?' });
  expect({ status: refused.status, code: refused.body['code'] }).toEqual({ status: 503, code: 'DATABASE_UNAVAILABLE' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await stack.postgresServer?.start();
  const events = await stack.api.turnEnded(session);
  expect(events.slice(0, served.length)).toEqual(served);
  expect(logLines(events).at(-1)).toBe('turn/end completed');
  expect(await followed).toEqual(events);
  await expectSound(stack, session);
});

test('every connection cut while a reader follows: it misses nothing and nothing has to be restarted', async () => {
  const options = scripted(stack, 'cut', () => ({
    text: ['a ', 'b ', 'c'],
    hold: { gate: 'cut', afterDeltas: 1 },
  }));
  const session = await stack.api.create(options);
  const followed = stack.api.follow(session, (events) => events.at(-1)?.type === 'turn/end');
  await stack.api.prompt(session, 'go');
  await stack.model.held('cut');
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'
  `.execute(stack.database);
  stack.model.release('cut');
  const events = await stack.api.turnEnded(session);
  expect(await followed).toEqual(events);
  await expectSound(stack, session);
});
