import { condition } from '@temporalio/workflow';
import { describeSession } from './session-details.ts';
import type { SessionState } from './session-state.ts';

/** Shows changes of the queue and outcomes of requests while a turn runs, which commits only its own. */
export async function publishWhileBusy(session: SessionState): Promise<void> {
  while (!session.closing) {
    await condition(() => session.running !== undefined && session.writer.dirty);
    // A refusal for good comes back to the turn as well, which ends the session by it.
    await session.writer.flush().catch(() => condition(() => session.running === undefined));
  }
}

/** Tells clients and operators that nothing runs. */
export async function showIdle(session: SessionState): Promise<void> {
  session.writer.change({ status: 'idle', queueLength: session.queue.queued.length });
  describeSession(session, 'idle');
  await session.writer.flush();
}
