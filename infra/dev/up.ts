/** Everything on one machine: `npm run up`. */
import { rmSync } from 'node:fs';
import { canTie } from '../process/spawn-tied.ts';
import { takePidFile } from '../process/pid-file.ts';
import { runCommand } from './run-command.ts';
import { banner } from './stack/banner.ts';
import { type StackPaths, stackPaths } from './stack/paths.ts';
import { showing } from './stack/progress.ts';
import { runCli } from './stack/run-cli.ts';
import { recordState } from './stack/record-state.ts';
import { readyStack, supervisorMarks } from './stack/running-stack.ts';
import { baseEnvironment, makeDataFolder, startAll, startServers } from './stack/start-stack.ts';
import { removeState } from './stack/state-file.ts';
import { onStopSignal } from './stack/stop-signal.ts';
import { Supervisor } from './stack/supervisor.ts';
import { jobArguments, parseUpOptions, type UpOptions, upHelp } from './up-options.ts';

const demoNotice = 'Running the demo job: an agent repairs a small project whose tests fail.';

/** How long the job may take to end its turn before what it needs is stopped. */
const jobEndMs = 15_000;

await runCommand(upHelp, async (argv) => {
  const options = parseUpOptions(argv);
  const paths = stackPaths();
  makeDataFolder(paths);
  const other = takePidFile(paths.pidFile, process.pid, supervisorMarks);
  return other ? useRunning(options, paths, other.holder) : superviseStack(options, paths);
});

async function useRunning(options: UpOptions, paths: StackPaths, pid: number): Promise<number> {
  const state = await showing(
    'everturn',
    (tell) => readyStack(paths, pid, tell),
    () => `is already up (pid ${pid})`,
  );
  console.log(banner(state.environment));
  const asked = options.prompt !== undefined || options.once;
  const job = asked ? jobArguments(options) : undefined;
  return job ? runCli(job, { ...baseEnvironment(paths, process.env), ...state.environment }) : 0;
}

async function superviseStack(options: UpOptions, paths: StackPaths): Promise<number> {
  let ready = false;
  let job: Promise<number> | undefined;
  let stopping = false;
  const ending = Promise.withResolvers<number>();
  const supervisor = new Supervisor(paths, baseEnvironment(paths, process.env), {
    changed: () => recordState(supervisor, paths, ready),
    gaveUp: (error) => ending.reject(error),
  });
  onStopSignal(
    () => {
      stopping = true;
      // The job cancels its turn first, for which it needs the API.
      void atMost(jobEndMs, job).then(() => ending.resolve(0));
    },
    () => (job ? undefined : killAll(supervisor)),
  );
  if (!canTie)
    console.log('  ! this system cannot tie processes to one another: after kill -9 of `up`, run `npm run down`');

  const life = async (): Promise<number> => {
    await (options.serversOnly ? startServers(supervisor) : startAll(supervisor, paths));
    ready = true;
    recordState(supervisor, paths, ready);
    console.log(banner(supervisor.environment));
    console.log(`Ready in ${process.uptime().toFixed(1)} s.`);
    if (!process.stdout.isTTY) console.log(JSON.stringify({ ready: true, pid: process.pid }));
    const asked = stopping ? undefined : jobArguments(options);
    if (asked) console.log(options.demo ? demoNotice : 'Running your prompt.');
    job = asked && runCli(asked, supervisor.environment).finally(() => (job = undefined));
    const status = (await job) ?? 0;
    if (options.once) return status;
    if (stopping) return ending.promise;
    console.log(`\nEverything stays up${status === 0 ? '' : ` (the job ended with ${status})`}. Ctrl-C stops it.`);
    return ending.promise;
  };
  try {
    return await Promise.race([life(), ending.promise]);
  } finally {
    await supervisor.stop();
    removeState(paths.state);
    rmSync(paths.pidFile, { force: true });
  }
}

async function atMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  if (work === undefined) return;
  const overdue = Promise.withResolvers<void>();
  const timer = setTimeout(overdue.resolve, ms);
  await Promise.race([work.catch(() => {}), overdue.promise]);
  clearTimeout(timer);
}

function killAll(supervisor: Supervisor): void {
  console.log('killing everything: the data survives that');
  for (const { service } of supervisor.running) {
    try {
      process.kill(service.pid, 'SIGKILL');
    } catch {
      // It is gone already, which is what we want.
    }
  }
}
