import type { SessionId } from '@everturn/core/domain';
import { ApiError } from '../platform/errors/api-error.ts';

/**
 * Cancels sessions one after another. Some may have ended by the time it is their turn, as agents of one task do when
 * their parent is cancelled; the others are reached all the same. Answers which took it.
 */
export async function cancelEach(
  sessions: readonly SessionId[],
  cancel: (session: SessionId) => Promise<unknown>,
): Promise<SessionId[]> {
  const cancelled: SessionId[] = [];
  for (const session of sessions) {
    try {
      await cancel(session);
      cancelled.push(session);
    } catch (error) {
      if (!hasEnded(error)) throw error;
    }
  }
  return cancelled;
}

const hasEnded = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'SESSION_CLOSED' || error.code === 'SESSION_BROKEN');
