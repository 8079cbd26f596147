import type { HostId } from '@everturn/core/domain';
import type { Database } from '@everturn/core/postgres';
import { CommitNotifier } from './notify.ts';

/** What every function of this room works with; one per process. */
export interface Projection {
  readonly database: Database;
  readonly notifier: CommitNotifier;
  /** Names this process in claims; never the same for two processes, not even one after the other. */
  readonly owner: string;
  /** The host lease this process holds: when another process takes it, our claims count as lapsed at once. */
  readonly host?: { id: HostId; epoch: number };
}

export interface OpenProjectionInput {
  database: Database;
  owner: string;
  host?: { id: HostId; epoch: number };
}

/** Opens the one writer of session logs in this process. */
export function openProjection({ database, owner, host }: OpenProjectionInput): Projection {
  return { database, owner, notifier: new CommitNotifier(database), ...(host && { host }) };
}
