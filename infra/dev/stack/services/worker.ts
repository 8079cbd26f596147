import { startNodeChild } from '../node-child.ts';
import type { Service } from '../service.ts';

/** The process that runs workflows, model calls and tools. */
export const worker: Service = {
  name: 'worker',
  async start({ paths, environment, tell }) {
    tell('starting');
    const child = await startNodeChild({
      name: 'worker',
      entry: 'apps/worker/src/main.ts',
      environment,
      logs: paths.logs,
    });
    return { ...child, detail: `log ${paths.logs}/worker.log`, provides: {} };
  },
};
