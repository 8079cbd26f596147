import type { HostId } from '../domain/index.ts';

/** The four queues of a deployment; `prefix` separates deployments that share a namespace. */
export interface TaskQueues {
  /** Workflows and short activities that need only Postgres. */
  main: string;
  /** Model calls and tools without machine state. */
  model: string;
  host(host: HostId): string;
  /** The same machine, with slots of its own: terminal signals, job and process kills. */
  hostControl(host: HostId): string;
}

/** Names the queues of a deployment; the default prefix is `everturn`. */
export function taskQueues(prefix = 'everturn'): TaskQueues {
  return {
    main: prefix,
    model: `${prefix}-model`,
    host: (host) => `${prefix}-host:${host}`,
    hostControl: (host) => `${prefix}-host:${host}:control`,
  };
}
