import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '@everturn/core/postgres';
import type { TenantId } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { ApiClient } from './support/api-client.ts';
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

test('each firing of a schedule without a session has a new one, made once although its worker dies', async () => {
  const { provider, model, workspace } = scripted(stack, 'scheduled-new', () => ({ text: 'done' }));
  const create = { provider, model, workspace, metadata: { team: 'night' } };
  await call('POST', '', { id: 'nightly', definition: { times: NEVER, prompt: 'tidy up', create } });
  await stack.worker().kill9();
  await call('POST', '/nightly/trigger');
  await once('nightly', ({ firings }) => firings === 1);
  await stack.startWorker();
  const listed = async () => {
    const query = encodeURIComponent(JSON.stringify({ schedule: 'nightly' }));
    return (await stack.api.call<{ sessions: { id: string }[] }>('GET', `/v1/sessions?metadata=${query}`)).body
      .sessions;
  };
  const [session] = await waitFor(async () => [await listed()].find(({ length }) => length > 0), {
    what: 'its session',
  });
  await stack.api.turnEnded(String(session?.id));
  expect(await promptsOf(String(session?.id))).toEqual(['tidy up']);
  await once('nightly', ({ firings, running }) => firings === 1 && running.length === 0);
  expect((await listed()).length).toBe(1);
  await call('DELETE', '/nightly');
});

test('while the turn of a firing has not ended the next one is skipped', async () => {
  const session = await stack.api.create(scripted(stack, 'overlapping', () => ({ text: 'x', hold: 'overlap' })));
  await call('POST', '', { id: 'busy', definition: { times: NEVER, prompt: 'go', session } });
  await call('POST', '/busy/trigger');
  await stack.model.held('overlap');
  await call('POST', '/busy/trigger');
  await once('busy', ({ skipped }) => skipped === 1);
  stack.model.release('overlap');
  await once('busy', ({ running }) => running.length === 0);
  expect(await promptsOf(session)).toEqual(['go']);
  await call('DELETE', '/busy');
});

test('what is wrong is said, and other tenants have schedules of their own', async () => {
  const definition = { times: NEVER, prompt: 'p' };
  const refusals: [object, object][] = [
    [{ id: 'a b', definition }, { code: 'INVALID_REQUEST' }],
    [{ id: 'x', definition: { ...definition, times: {} } }, { code: 'INVALID_REQUEST' }],
    [{ id: 'x', definition: { ...definition, times: { cron: ['every day'] } } }, { code: 'INVALID_REQUEST' }],
    [
      { id: 'x', definition: { ...definition, times: { cron: ['* * * * *'], timeZone: 'Mars' } } },
      { code: 'INVALID_REQUEST' },
    ],
    [{ id: 'x', definition: { ...definition, session: 'nobody' } }, { code: 'SESSION_NOT_FOUND' }],
    [{ id: 'x', definition: { ...definition, session: 's', create: {} } }, { code: 'INVALID_REQUEST' }],
    [{ id: 'x', definition: { ...definition, create: { workspace: '/etc' } } }, { code: 'WORKSPACE_NOT_ALLOWED' }],
  ];
  for (const [body, problem] of refusals) expect((await call('POST', '', body)).body).toMatchObject(problem);
  expect((await call('GET', '/x')).status).toBe(404);

  await call('POST', '', { id: 'mine', definition });
  const { secret } = await createApiKey(stack.database, { tenant: `${stack.tenant}-other` as TenantId });
  const other = new ApiClient(() => `http://127.0.0.1:${String(stack.apiProcess().ready['port'])}`, secret);
  expect((await other.call('GET', '/v1/schedules/mine')).status).toBe(404);
  expect((await other.call('DELETE', '/v1/schedules/mine')).status).toBe(404);
  expect((await call('GET', '/mine')).status).toBe(200);
  await call('DELETE', '/mine');
});
