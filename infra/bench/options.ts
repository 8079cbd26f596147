import { parseArgs } from 'node:util';
import { InfraError } from '../process/infra-error.ts';
import type { Benchmark } from './benchmark.ts';
import { benchmarks } from './benchmarks/index.ts';

/** What `npm run bench` was asked for. */
export interface BenchOptions {
  readonly chosen: readonly Benchmark[];
  readonly size: 'quick' | 'full';
  readonly output: 'table' | 'json';
  /** Write CPU profiles of every worker process. */
  readonly profile: boolean;
}

/** Its help. */
export const benchHelp = `usage: npm run bench [-- options]

Starts servers and processes of its own, measures, and ends them again. A missed target is shown and fails nothing;
the exit status is 1 only when something could not be measured. Results are kept in .everturn/bench/.

  --only NAME  only this benchmark; may be repeated
  --quick      smaller loads: under two minutes instead of under 25, and rougher
  --json       the results as JSON on standard output, progress on standard error (npm run --silent bench)
  --profile    CPU profiles of the worker's threads in .everturn/bench/profiles/

${benchmarks.map(({ name, title }) => `  ${name.padEnd(15)} ${title}`).join('\n')}`;

/** Parses its arguments. */
export function parseBenchOptions(argv: string[]): BenchOptions {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  });
  const known = benchmarks.map(({ name }) => name);
  const unknown = values.only.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InfraError('INFRA_BAD_ARGUMENT', `there is no benchmark "${unknown}"`, `there are: ${known.join(', ')}`);
  return {
    chosen: benchmarks.filter(({ name }) => values.only.length === 0 || values.only.includes(name)),
    size: values.quick ? 'quick' : 'full',
    output: values.json ? 'json' : 'table',
    profile: values.profile,
  };
}
