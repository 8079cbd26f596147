/** Measurements: `npm run bench`. */
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { runCommand } from '../dev/run-command.ts';
import { onStopSignal } from '../dev/stack/stop-signal.ts';
import { InfraError } from '../process/infra-error.ts';
import { takePidFile } from '../process/pid-file.ts';
import { benchHelp, parseBenchOptions } from './options.ts';
import { type BenchmarkResult, type BenchResults, saveResults, thisMachine } from './report/results.ts';
import { tableOf } from './report/table.ts';
import { runBenchmarks } from './run-benchmarks.ts';
import { benchPaths } from './stack/paths.ts';

await runCommand(benchHelp, async (argv) => {
  const options = parseBenchOptions(argv);
  const paths = benchPaths();
  mkdirSync(paths.results, { recursive: true });
  const other = takePidFile(paths.pidFile, process.pid, ['infra/bench/main.ts']);
  if (other)
    throw new InfraError(
      'INFRA_STILL_RUNNING',
      `another bench runs here (pid ${other.holder})`,
      'wait for it: two at once would measure each other',
    );
  const stopping = new AbortController();
  onStopSignal(
    () => stopping.abort(new Error('stopped before the end; nothing is kept')),
    () => process.exit(130),
  );
  const machine = thisMachine(loadavg());
  const startedAt = new Date().toISOString();
  const began = Date.now();
  const table = options.output === 'table';
  const listener = {
    doing: (text: string) => void process.stderr.write(`  … ${((Date.now() - began) / 1000).toFixed(0)} s  ${text}\n`),
    measured: (result: BenchmarkResult) => {
      if (table) console.log(`\n${tableOf(result)}\n`);
    },
  };
  const benchmarks = await runBenchmarks(options, paths, listener, stopping.signal);
  const results: BenchResults = { startedAt, size: options.size, machine, benchmarks };
  const file = saveResults(paths.results, results);
  if (table) {
    const { processors, processor, load } = machine;
    console.log(`${processors} × ${processor}, load at the start ${load[0]?.toFixed(1)}; kept in ${file}`);
  } else console.log(JSON.stringify(results, undefined, 2));
  return benchmarks.some(({ error }) => error !== undefined) ? 1 : 0;
});
