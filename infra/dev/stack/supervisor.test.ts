import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stackPaths } from './paths.ts';
import type { RunningService, Service } from './service.ts';
import { Supervisor } from './supervisor.ts';

/** A service without a process: dies when told to, notes what happens to it. */
function fake(name: string, happened: string[], ready = Promise.resolve()) {
  let die = () => {};
  let failures = 0;
  const service: Service = {
    name,
    async start({ before }): Promise<RunningService> {
      await ready;
      if (failures > 0) {
        failures -= 1;
        happened.push(`${name} failed`);
        throw new Error('not now');
      }
      happened.push(`${name} ${before ? 'again' : 'started'}`);
      const exited = new Promise<void>((resolve) => (die = resolve));
      const stop = async () => void happened.push(`${name} stopped`);
      return { pid: 1, detail: name, provides: { [name]: 'here' }, exited, stop };
    },
  };
  return { service, die: () => die(), failNext: (times: number) => (failures = times) };
}

let happened: string[];
let gaveUp: unknown[];
let supervisor: Supervisor;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'log').mockImplementation(() => {});
  happened = [];
  gaveUp = [];
  supervisor = new Supervisor(stackPaths({}), {}, { changed: () => {}, gaveUp: (error) => gaveUp.push(error) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('stops in the reverse order of starting, whoever was ready first', async () => {
  const slow = Promise.withResolvers<void>();
  const started = supervisor.start(fake('slow', happened, slow.promise).service, fake('quick', happened).service);
  await vi.waitFor(() => expect(happened).toEqual(['quick started']));
  slow.resolve();
  await started;
  await supervisor.stop();
  expect(happened).toEqual(['quick started', 'slow started', 'quick stopped', 'slow stopped']);
  expect(supervisor.environment).toEqual({ slow: 'here', quick: 'here' });
});

test('starts again what died, also when the first attempt fails', async () => {
  const one = fake('one', happened);
  const started = supervisor.start(one.service);
  await vi.runAllTimersAsync();
  await started;
  one.failNext(1);
  one.die();
  await vi.advanceTimersByTimeAsync(3000);
  expect(happened).toEqual(['one started', 'one failed', 'one again']);
  expect(gaveUp).toEqual([]);
});

test('gives up on what does not stay alive', async () => {
  const one = fake('one', happened);
  const started = supervisor.start(one.service);
  await vi.runAllTimersAsync();
  await started;
  one.failNext(99);
  one.die();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(happened).toEqual(['one started', ...Array.from({ length: 5 }, () => 'one failed')]);
  expect(gaveUp).toMatchObject([{ code: 'INFRA_PROCESS_DIED', cause: new Error('not now') }]);
});

test('what cannot start takes the start with it, and the rest is still stopped', async () => {
  const bad = fake('bad', happened);
  bad.failNext(1);
  const started = supervisor.start(fake('good', happened).service, bad.service);
  const failure = started.catch((error: Error) => error.message);
  await vi.runAllTimersAsync();
  expect(await failure).toBe('not now');
  await supervisor.stop();
  expect(happened.at(-1)).toBe('good stopped');
});
