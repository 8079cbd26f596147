import { startRun } from './run.ts';

const key = Symbol.for('everturn.testing.run');
const shared = globalThis as { [key]?: { users: number; run: ReturnType<typeof startRun> } };

/** Starts the run's servers. Vitest calls this once per project; the projects of one run share one set. */
export async function setup(): Promise<void> {
  shared[key] ??= { users: 0, run: startRun() };
  shared[key].users += 1;
  await shared[key].run;
}

/** Stops them when the last project is done. */
export async function teardown(): Promise<void> {
  const started = shared[key];
  if (started === undefined) return;
  started.users -= 1;
  if (started.users > 0) return;
  delete shared[key];
  await (await started.run).stop();
}
