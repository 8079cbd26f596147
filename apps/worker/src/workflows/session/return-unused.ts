import { settleTurn, type RequestId } from '@everturn/core/domain';
import { heardFromPerson } from './session-jobs.ts';
import { discard, settleParked } from './session-queue.ts';
import type { SessionState } from './session-state.ts';

/** Steering the turn did not write becomes queued messages, in order; contexts wait for a turn of their own. */
export function returnUnused(
  session: SessionState,
  { consumed, discarded }: { consumed: readonly RequestId[]; discarded: readonly RequestId[] },
): void {
  heardFromPerson(
    session,
    session.queue.steering.filter(({ requestId }) => consumed.includes(requestId)),
  );
  const gone = [...discarded, ...session.unwanted].filter((requestId) => !consumed.includes(requestId));
  const dropped = session.queue.steering.filter(({ requestId }) => gone.includes(requestId));
  session.queue = settleTurn({ queue: session.queue, consumed, discarded: gone });
  session.unwanted = [];
  settleParked(session);
  discard(session, dropped);
  session.injected = session.injected.filter(({ requestId }) => !consumed.includes(requestId));
}
