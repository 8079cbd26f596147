import { ApplicationFailure } from '@temporalio/common';
import { errorChain } from '@everturn/core/domain';
import { commitLog } from '../proxies.ts';
import { describeSession } from './session-details.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/**
 * Ends a session whose log refused it for good. It stays readable, and only `everturn session recover` or a resume
 * mends it. The mark itself is best effort: whoever fenced this run off says what the session is now.
 */
export async function markBroken(session: SessionState, error: unknown): Promise<never> {
  describeSession(session, 'broken');
  const commit = { events: [], highestAcknowledged: -1, rows: { status: 'broken' as const, openTurn: null } };
  await commitLog({ ...sessionRef(session), commit }).catch(() => undefined);
  throw ApplicationFailure.create({
    message: `${errorChain(error)}; run \`everturn session recover ${session.input.session}\``,
    type: 'SESSION_BROKEN',
    nonRetryable: true,
  });
}
