import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '@everturn/core/domain';
import { createApiKey } from '@everturn/core/postgres';
import { waitFor } from '@everturn/core/testing';
import { ApiClient } from './support/api-client.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { recordWorkflow } from './support/record-histories.ts';
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

/** Keeps the histories of a schedule's last firing: of the one that overlap is about, and of its child's. */
async function recordFiring(schedule: string): Promise<void> {
  const scheduleId = `schedule:${stack.tenant}/${schedule}`;
  const { recentActions } = (await stack.client.schedule.getHandle(scheduleId).describe()).info;
  const { workflowId, firstExecutionRunId } = recentActions.at(-1)!.action.workflow;
  await recordWorkflow(stack, workflowId, 'firing.scheduled');
  await recordWorkflow(stack, `${workflowId}/${firstExecutionRunId}`, 'firing.child');
}

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
  await recordFiring('hourly');
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

const ends = async (session: string) =>
  logLines(await stack.api.events(session)).filter((line) => line.startsWith('turn/end'));

test('while the turn of a firing runs the next one is left out, takes its place once it has ended, or takes it at once', async () => {
  const session = await stack.api.create(
    scripted(stack, 'overlapping', ({ messages }) => {
      const asked = messages.filter(({ role }) => role === 'user').length;
      return asked < 4 ? { text: 'x', hold: `overlap-${asked}` } : { text: 'x' };
    }),
  );
  await call('POST', '', { id: 'busy', definition: { times: NEVER, prompt: 'go', session } });
  const trigger = (overlap?: string) => call('POST', '/busy/trigger', { overlap });
  await trigger();
  await stack.model.held('overlap-1');
  await trigger();
  await once('busy', ({ skipped }) => skipped === 1);
  await trigger('cancel-other');
  await stack.model.held('overlap-2');
  expect(await ends(session)).toEqual(['turn/end aborted']);
  await trigger('terminate-other');
  await stack.model.held('overlap-3');
  expect(await ends(session)).toEqual(['turn/end aborted', 'turn/end aborted']);
  stack.model.release('overlap-3');
  await once('busy', ({ running, firings }) => running.length === 0 && firings === 3);
  expect((await ends(session)).at(-1)).toBe('turn/end completed');

  // One that waits behind a person's message has no turn to stop; that of the person goes on.
  stack.model.script('overlapping', ({ lastUser }) =>
    lastUser === 'mine' ? { text: 'x', hold: 'mine' } : { text: 'x' },
  );
  await stack.api.prompt(session, 'mine');
  await stack.model.held('mine');
  await trigger();
  await once('busy', ({ running }) => running.length === 1);
  await trigger('cancel-other');
  await once('busy', ({ firings }) => firings === 5);
  stack.model.release('mine');
  await stack.api.turnEnded(session, 5);
  await once('busy', ({ running }) => running.length === 0);
  expect((await promptsOf(session)).slice(-2)).toEqual(['mine', 'go']);
  expect((await ends(session)).slice(-2)).toEqual(['turn/end completed', 'turn/end completed']);
  await call('DELETE', '/busy');
  await expectSound(stack, session);
});

test('what is wrong is said, and other tenants have schedules of their own', async () => {
  const definition = { times: NEVER, prompt: 'p' };
  const wrong = (more: object) => ({ id: 'x', definition: { ...definition, ...more } });
  const refusals: [object, { code: string; message?: RegExp }][] = [
    [{ id: 'a b', definition }, { code: 'INVALID_REQUEST' }],
    [wrong({ times: {} }), { code: 'INVALID_REQUEST' }],
    [wrong({ times: { cron: ['every day'] } }), { code: 'INVALID_REQUEST', message: /times/ }],
    [wrong({ times: { cron: ['61 * * * *'] } }), { code: 'INVALID_REQUEST', message: /times/ }],
    [wrong({ times: { cron: ['* * * * *'], timeZone: 'Mars' } }), { code: 'INVALID_REQUEST', message: /times/ }],
    [wrong({ times: { calendars: [{ hour: 24 }] } }), { code: 'INVALID_REQUEST', message: /hour/ }],
    [wrong({ times: { intervals: [{ everySeconds: 0 }] } }), { code: 'INVALID_REQUEST', message: /everySeconds/ }],
    [wrong({ times: { ...NEVER, endAt: '2980-01-01T00:00:00Z' } }), { code: 'INVALID_REQUEST', message: /endAt/ }],
    [wrong({ times: { ...NEVER, jitterSeconds: -1 } }), { code: 'INVALID_REQUEST', message: /jitterSeconds/ }],
    [wrong({ overlap: 'whatever' }), { code: 'INVALID_REQUEST', message: /overlap/ }],
    [wrong({ catchupWindowSeconds: 9 }), { code: 'INVALID_REQUEST', message: /catchupWindowSeconds/ }],
    [wrong({ prompt: ' ' }), { code: 'INVALID_REQUEST', message: /prompt/ }],
    [wrong({ session: 'nobody' }), { code: 'SESSION_NOT_FOUND' }],
    [wrong({ session: 's', create: {} }), { code: 'INVALID_REQUEST' }],
    [wrong({ create: { workspace: '/etc' } }), { code: 'WORKSPACE_NOT_ALLOWED' }],
  ];
  for (const [body, { code, message = /./ }] of refusals)
    expect((await call('POST', '', body)).body).toMatchObject({ code, message: expect.stringMatching(message) });
  expect((await call('GET', '/x')).status).toBe(404);
  for (const part of ['pause', 'unpause', 'trigger']) expect((await call('POST', `/x/${part}`)).status).toBe(404);

  // Clocks in Berlin go forward on the 28th at two: there is no half past two then.
  const times = {
    cron: ['30 2 * * *'],
    timeZone: 'Europe/Berlin',
    startAt: '2027-03-27T00:00:00Z',
    endAt: '2027-03-30T00:00:00Z',
  };
  const made = await call('POST', '', { id: 'mine', definition: { times, prompt: 'p' }, paused: true });
  expect(made.body.next).toEqual(['2027-03-27T01:30:00.000Z', '2027-03-29T00:30:00.000Z']);
  const { secret } = await createApiKey(stack.database, { tenant: `${stack.tenant}-other` as TenantId });
  const other = new ApiClient(() => `http://127.0.0.1:${String(stack.apiProcess().ready['port'])}`, secret);
  for (const method of ['GET', 'DELETE']) expect((await other.call(method, '/v1/schedules/mine')).status).toBe(404);
  expect((await call('GET', '/mine')).status).toBe(200);
  await call('DELETE', '/mine');
});
