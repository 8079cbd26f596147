import { condition } from '@temporalio/workflow';
import { isPermanent } from '../shared/is-permanent.ts';
import type { SessionState } from './session-state.ts';

/** Has something done beside what the session does; it neither closes nor moves to a fresh history before it is done. */
export function errand(session: SessionState, run: () => Promise<unknown>): void {
  session.errands += 1;
  beside(
    session,
    run().finally(() => {
      session.errands -= 1;
    }),
  );
}

/**
 * For what nobody waits for: what is refused for good there ends the session, as it would where it is waited for. The
 * turn that runs is stopped, so that the session comes to see it.
 */
export function beside(session: SessionState, running: Promise<unknown>): void {
  void running.catch((error: unknown) => {
    if (!isPermanent(error)) throw error;
    session.refusal ??= { error };
    session.running?.send('abort', { cause: 'disposed' });
  });
}

/** Waits for all of it. */
export async function errandsDone(session: SessionState): Promise<void> {
  if (session.errands > 0) await condition(() => session.errands === 0);
}
