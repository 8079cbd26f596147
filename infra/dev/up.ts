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
  const ending = Promise.withResolvers<number>();
  const supervisor = new Supervisor(paths, baseEnvironment(paths, process.env), {
    changed: () => recordState(supervisor, paths, ready),
    gaveUp: (error) => ending.reject(error),
  });
  onStopSignal(
    () => ending.resolve(0),
    () => killAll(supervisor),
  );
  if (!canTie)
    console.log('  ! this system cannot tie processes to one another: after kill -9 of `up`, run `npm run down`');

  const life = async (): Promise<number> => {
    await (options.serversOnly ? startServers(supervisor) : startAll(supervisor, paths));
    ready = true;
    recordState(supervisor, paths, ready);
    console.log(banner(supervisor.environment));
    if (!process.stdout.isTTY) console.log(JSON.stringify({ ready: true, pid: process.pid }));
    const job = jobArguments(options);
    const status = job ? await runCli(job, supervisor.environment) : 0;
    if (options.once) return status;
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
