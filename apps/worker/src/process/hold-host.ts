import type { HostId } from '@everturn/core/domain';
import { beatHost, HOST_BEAT_MS, releaseHost, takeHost, type Database } from '@everturn/core/postgres';
import type { Logger } from 'pino';
import { describeSelf, findDeadHolder, writeHolder } from './host-holder.ts';
import { patiently, sleep } from './patiently.ts';
import { WorkerError } from './worker-error.ts';

export interface HoldHostInput {
  database: Database;
  host: HostId;
  /** Names this process; never the same for two. */
  owner: string;
  roots: readonly string[];
  dataDir: string;
  log: Logger;
  signal: AbortSignal;
  /** The lease went to another process: this one must stop at once. */
  onLost(): void;
}

export interface HeldHost {
  id: HostId;
  epoch: number;
  /** Gives the lease back. */
  release(): Promise<void>;
}

/** Takes this machine's lease and keeps it; throws `WORKER_HOST_HELD` when a living process has it. */
export async function holdHost(input: HoldHostInput): Promise<HeldHost> {
  const { database, host, log } = input;
  const epoch = await take(input);
  log.info({ host, epoch }, 'holding the host');
  const timer = setInterval(() => void beat(), HOST_BEAT_MS);
  const beat = async () => {
    try {
      if (await beatHost(database, { host, epoch })) return;
      clearInterval(timer);
      input.onLost();
    } catch {
      // The database is away, and so it is for everyone who could take the lease.
    }
  };
  return {
    id: host,
    epoch,
    release: async () => {
      clearInterval(timer);
      await releaseHost(database, { host, epoch });
    },
  };
}

async function take(input: HoldHostInput): Promise<number> {
  const { database, host, owner, roots, dataDir, log, signal } = input;
  const self = await describeSelf(owner);
  const deadHolder = await findDeadHolder(dataDir, host);
  let seenAt: number | undefined;
  for (;;) {
    const result = await patiently({
      what: 'the database',
      log,
      signal,
      attempt: () =>
        takeHost(database, {
          host,
          holder: owner,
          roots,
          details: { pid: process.pid },
          ...(deadHolder !== undefined && { deadHolder }),
        }),
    });
    if (result.kind === 'taken') {
      await writeHolder(dataDir, host, self);
      return result.epoch;
    }
    const beatAt = Date.now() - result.seenMsAgo;
    // Clocks and round trips jitter; a beat is two seconds.
    if (seenAt !== undefined && beatAt > seenAt + HOST_BEAT_MS / 2) throw held(host);
    seenAt ??= beatAt;
    log.warn(
      { host, seenMsAgo: Math.round(result.seenMsAgo) },
      'another process held this host; waiting until its lease is 10 s old',
    );
    await sleep(1_000, signal);
    signal.throwIfAborted();
  }
}

function held(host: HostId): WorkerError {
  return new WorkerError(
    'WORKER_HOST_HELD',
    `another worker runs as host "${host}". Stop it, or give this one a name of its own with EVERTURN_HOST_ID.`,
  );
}
