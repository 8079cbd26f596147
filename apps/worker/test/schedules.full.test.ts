import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack({ own: ['temporal'] })));
afterAll(() => stack?.stop());

interface View {
  firings: number;
  running: string[];
  recent: { scheduledAt: string; startedAt: string }[];
}
const call = (method: string, path: string, body?: object) =>
  stack.api.call<View>(method, `/v1/schedules${path}`, body);
const view = async (id: string) => (await call('GET', `/${id}`)).body;
const NEVER = { cron: ['0 0 1 1 *'], startAt: '2990-01-01T00:00:00Z' };
const prompts = async (session: string) =>
  (await stack.api.events(session)).filter(({ type }) => type === 'user/message').length;

test('a cron schedule of one minute fires twice untouched', async () => {
  const session = await stack.api.create(scripted(stack, 'minutely', () => ({ text: 'done' })));
  await call('POST', '', { id: 'minutely', definition: { times: { cron: ['* * * * *'] }, prompt: 'tick', session } });
  const events = await stack.api.until(
    session,
    'two firings',
    (all) => all.filter(({ type }) => type === 'turn/end').length >= 2 && all,
    180_000,
  );
  const times = events.flatMap(({ type, time }) => (type === 'turn/start' ? [time] : []));
  for (const time of times) expect(time % 60_000).toBeLessThan(10_000);
  expect(Math.floor((times[1] ?? 0) / 60_000) - Math.floor((times[0] ?? 0) / 60_000)).toBe(1);
  const { recent } = await view('minutely');
  expect(recent.map(({ scheduledAt }) => scheduledAt.slice(17))).toEqual(['00.000Z', '00.000Z']);
  await call('DELETE', '/minutely');
  await expectSound(stack, session);
});

test('firings that an outage of Temporal missed are made up for as far back as the window reaches', async () => {
  const make = async (id: string, catchupWindowSeconds: number) => {
    const session = await stack.api.create(scripted(stack, id, () => ({ text: 'done' })));
    const times = { intervals: [{ everySeconds: 5 }] };
    const definition = { times, prompt: 'tick', session, overlap: 'allow-all', catchupWindowSeconds };
    await call('POST', '', { id, definition });
    await waitFor(async () => (await view(id)).firings >= 1, { what: `${id} to fire` });
    return session;
  };
  const [patient, brief] = [await make('patient', 600), await make('brief', 10)];
  await stack.temporalServer?.kill9();
  const began = Date.now();
  await waitFor(() => Date.now() - began > 40_000, { what: 'the outage to pass', timeoutMs: 60_000 });
  await stack.temporalServer?.start();
  const firings = async (id: string) => (await view(id)).firings;
  const since = began - 5_000;
  const all = await waitFor(
    async () => {
      const [long, short] = [await firings('patient'), await firings('brief')];
      return long * 5_000 > Date.now() - since && { long, short };
    },
    { what: 'all missed firings', timeoutMs: 60_000, everyMs: 500 },
  );
  // Eight slots passed; of the brief one at least five are gone for good.
  expect(all.long - all.short).toBeGreaterThanOrEqual(5);
  await Promise.all(['patient', 'brief'].map((id) => call('POST', `/${id}/pause`)));
  for (const [id, session] of [
    ['patient', patient],
    ['brief', brief],
  ] as const) {
    // Temporal does not list as running what may go beside others.
    await waitFor(async () => (await prompts(session)) === (await firings(id)), {
      what: `a prompt for each firing of ${id}`,
      timeoutMs: 60_000,
      everyMs: 500,
    });
    await call('DELETE', `/${id}`);
  }
});

test('each firing of a schedule without a session has a new one, made once although its worker dies', async () => {
  const { provider, model, workspace } = scripted(stack, 'scheduled-new', () => ({ text: 'done' }));
  const create = { provider, model, workspace, metadata: { team: 'night' } };
  await call('POST', '', { id: 'nightly', definition: { times: NEVER, prompt: 'tidy up', create } });
  await stack.worker().kill9();
  await call('POST', '/nightly/trigger');
  await waitFor(async () => (await view('nightly')).firings === 1, { what: 'it to fire' });
  await stack.startWorker();
  const listed = async () => {
    const query = encodeURIComponent(JSON.stringify({ schedule: 'nightly' }));
    const { body } = await stack.api.call<{ sessions: { id: string }[] }>('GET', `/v1/sessions?metadata=${query}`);
    return body.sessions;
  };
  const [session] = await waitFor(async () => [await listed()].find(({ length }) => length > 0), {
    what: 'its session',
    timeoutMs: 30_000,
  });
  await stack.api.turnEnded(String(session?.id));
  expect(await prompts(String(session?.id))).toBe(1);
  await waitFor(async () => (await view('nightly')).running.length === 0, {
    what: 'the firing to end',
    timeoutMs: 30_000,
  });
  expect((await listed()).length).toBe(1);
  await call('DELETE', '/nightly');
});
