import type { z } from 'zod';
import { runnerCommand, type RunnerCommand } from './runner-fields.ts';
import type { workerFields } from './schema.ts';

/** How a worker confines commands; absent limits: as much as there is. */
export interface SandboxConfig {
  /** Absolute path of `bwrap`, where it is not on the path. */
  bubblewrap?: string;
  /** The operator's own runner, in place of all others. */
  runnerCommand?: RunnerCommand;
  /** For sessions that do not say. */
  network: 'none' | 'full';
  limits: { cpuSeconds?: number; memoryBytes?: number; processes?: number; fileBytes?: number };
}

/** The sandbox' part of the environment. */
export function sandboxConfig(env: z.output<z.ZodObject<typeof workerFields>>): SandboxConfig {
  const limits = {
    cpuSeconds: env.EVERTURN_SANDBOX_CPU_SECONDS,
    memoryBytes: env.EVERTURN_SANDBOX_MEMORY_BYTES,
    processes: env.EVERTURN_SANDBOX_PROCESSES,
    fileBytes: env.EVERTURN_SANDBOX_FILE_BYTES,
  };
  const own = runnerCommand(env);
  return {
    ...(own && { runnerCommand: own }),
    ...(env.EVERTURN_BUBBLEWRAP && { bubblewrap: env.EVERTURN_BUBBLEWRAP }),
    network: env.EVERTURN_SANDBOX_NETWORK,
    limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
  };
}
