import { condition } from '@temporalio/workflow';
import type { SessionState } from './session-state.ts';

/** Has something done beside what the session does; it neither closes nor moves to a fresh history before it is done. */
export function errand(session: SessionState, run: () => Promise<unknown>): void {
  session.errands += 1;
  void run().finally(() => {
    session.errands -= 1;
  });
}

/** Waits for all of it. */
export async function errandsDone(session: SessionState): Promise<void> {
  if (session.errands > 0) await condition(() => session.errands === 0);
}
