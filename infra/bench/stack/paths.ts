import { join } from 'node:path';
import { stackPaths } from '../../dev/stack/paths.ts';

/** Where results stay, and where a run keeps what goes with it. */
export interface BenchPaths {
  readonly results: string;
  readonly pidFile: string;
  /** Emptied before and after each run. */
  readonly scratch: string;
  /** Outlives a run, because failures are explained here. */
  readonly logs: string;
  readonly profiles: string;
}

/** The bench's folders, beside the data of the stack that `npm run up` keeps. */
export function benchPaths(): BenchPaths {
  const results = join(stackPaths().dataDir, 'bench');
  return {
    results,
    pidFile: join(results, 'bench.pid'),
    scratch: join(results, 'scratch'),
    logs: join(results, 'logs'),
    profiles: join(results, 'profiles'),
  };
}
