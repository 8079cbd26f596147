import { setTimeout as pause } from 'node:timers/promises';
import { holdBundleLease, releaseBundleLease, type Database } from '@everturn/core/postgres';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const ASK_AGAIN_MS = 200;

export interface WithLeaseInput<T> {
  database: Database;
  owner: string;
  waitMs: number;
  signal: AbortSignal;
  /** Its signal is raised, too, when the lease went to another worker. */
  work: (signal: AbortSignal) => Promise<T>;
}

/** Works while no other worker installs or removes; `busy` when another one did for all the time there was. */
export async function withBundleLease<T>(input: WithLeaseInput<T>): Promise<T | 'busy'> {
  const { database, owner, waitMs, signal, work } = input;
  const until = performance.now() + waitMs;
  while (!(await holdBundleLease(database, { owner, forMs: LEASE_MS }))) {
    if (performance.now() > until) return 'busy';
    await pause(ASK_AGAIN_MS, undefined, { signal });
  }
  const lost = new AbortController();
  const timer = setInterval(() => {
    // The database away is away for everyone who could take it; what is stored asks for the lease again.
    void holdBundleLease(database, { owner, forMs: LEASE_MS }).then(
      (held) => held || lost.abort(),
      () => undefined,
    );
  }, RENEW_MS);
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    await releaseBundleLease(database, owner).catch(() => undefined);
  }
}
