import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

interface View {
  id: string;
  paused: boolean;
  note?: string;
  firings: number;
  skipped: number;
  running: string[];
  next: string[];
}
const call = (method: string, path: string, body?: object) =>
  stack.api.call<View & { code: string; message: string }>(method, `/v1/schedules${path}`, body);
const once = (id: string, holds: (view: View) => boolean) =>
  waitFor(async () => [(await call('GET', `/${id}`)).body].find(holds), { what: `${id} to be so`, timeoutMs: 30_000 });
const NEVER = { cron: ['0 0 1 1 *'], startAt: '2990-01-01T00:00:00Z' };

/** Which prompts a session was sent, in order. */
const promptsOf = async (session: string) =>
  (await stack.api.events(session)).flatMap(({ type, data }) =>
    type === 'user/message' ? data.content.map((block) => (block.type === 'text' ? block.text : block.type)) : [],
  );

test('a schedule is made paused, triggered, backfilled, changed and deleted; its session gets one prompt for each firing', async () => {
  const session = await stack.api.create(scripted(stack, 'scheduled', () => ({ text: 'done' })));
  const definition = { times: { intervals: [{ everySeconds: 3_600 }] }, prompt: 'report', session };
  const made = await call('POST', '', { id: 'hourly', definition, paused: true, note: 'not yet' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ id: 'hourly', paused: true, note: 'not yet', firings: 0 });
  expect(made.body.next.length).toBeGreaterThan(0);
  expect((await call('POST', '', { id: 'hourly', definition })).body.code).toBe('SCHEDULE_EXISTS');

  expect((await call('POST', '/hourly/trigger')).status).toBe(200);
  await stack.api.turnEnded(session, 1);
  await once('hourly', ({ firings, running }) => firings === 1 && running.length === 0);
  // Four full hours of a day that is past, one after the other.
  const range = { start: '2026-01-05T00:30:00Z', end: '2026-01-05T04:30:00Z' };
  expect((await call('POST', '/hourly/backfill', range)).status).toBe(200);
  await stack.api.turnEnded(session, 5);
  expect(await promptsOf(session)).toEqual(Array.from({ length: 5 }, () => 'report'));
  await once('hourly', ({ firings, running }) => firings === 5 && running.length === 0);

  const changed = { ...definition, times: NEVER, prompt: 'report again' };
  expect((await call('PATCH', '/hourly', { definition: changed })).body).toMatchObject({ paused: true, firings: 5 });
  expect((await call('POST', '/hourly/unpause', { note: 'now' })).body).toMatchObject({ paused: false, note: 'now' });
  expect((await call('POST', '/hourly/pause')).body.paused).toBe(true);
  await call('POST', '/hourly/trigger');
  await stack.api.turnEnded(session, 6);
  expect((await promptsOf(session)).at(-1)).toBe('report again');
  await waitFor(async () => JSON.stringify((await call('GET', '')).body).includes('"hourly"'), { what: 'the list' });
  expect((await call('DELETE', '/hourly')).status).toBe(204);
  await waitFor(async () => (await call('GET', '/hourly')).status === 404, { what: 'the schedule to be gone' });
  await expectSound(stack, session);
});
