import { Context } from '@temporalio/activity';
import { isDomainError } from '@everturn/core/domain';
import { readEvents } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { keepBeating } from '../heartbeat.ts';
import type { DerivedSession } from './derived-sessions.ts';

const PAGE_ROWS = 1_000;

type Deps = Pick<ActivityDeps, 'database' | 'derived'>;

/** A step before whose start the reader stops. */
export interface Place {
  turn: number;
  step: number;
}

/**
 * The session as known; one that is not, as after a restart of the worker, is read page by page before anything is
 * claimed, and few at once: together, whole logs of all sessions at work need more memory than a worker has.
 */
export async function catchUp(deps: Deps, input: SessionRef, before?: Place): Promise<DerivedSession> {
  const known = deps.derived.open(input);
  // The first step of a session has its rows with its claim.
  if (known.readFrom > 0 || (before?.turn === 1 && before.step === 1)) return known;
  const rest = keepBeating(Context.current(), () => undefined);
  try {
    return await deps.derived.reading.run(async () => {
      const derived = deps.derived.open(input);
      await readOn(deps, input, { derived, ...(before && { before }) });
      deps.derived.keep(input, derived);
      return derived;
    });
  } finally {
    rest();
  }
}

async function readOn(
  { database }: Deps,
  { tenant, session }: SessionRef,
  { derived, before }: { derived: DerivedSession; before?: Place },
): Promise<void> {
  try {
    for (let next: number | undefined = derived.readFrom; next !== undefined;) {
      const page = await readEvents(database, { tenant, session, from: next, chunks: false, limit: PAGE_ROWS });
      const start = before && page.events.find(({ type, data }) => type === 'step/start' && isAt(data, before));
      derived.readOn(page.events, start?.seq);
      next = start ? undefined : page.next;
    }
  } catch (error) {
    // Whoever needs what cannot be derived comes upon it and says so.
    if (!isDomainError(error)) throw error;
  }
}

const isAt = (data: object, { turn, step }: Place): boolean =>
  'turn' in data && data.turn === turn && 'step' in data && data.step === step;
