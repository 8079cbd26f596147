import { defineSignal, setHandler } from '@temporalio/workflow';
import type { RequestId } from '@everturn/core/domain';
import type { WithdrawMessage } from '@everturn/core/protocol';
import { isEarly, onceOpen } from './early-requests.ts';
import { cancelRunning, editQueued } from './session-queue.ts';
import type { SessionState } from './session-state.ts';

/** Lets whoever sent a message take it back: it is dropped while it waits, and its turn is stopped while that runs. */
export function listenToSenders(session: SessionState): void {
  const drop = (message: RequestId) => editQueued(session, { requestId: message, promptId: message });
  setHandler(defineSignal<[WithdrawMessage]>('withdraw'), ({ message }) => {
    session.signals += 1;
    if (session.running?.message === message) cancelRunning(session, 'user');
    else if (isEarly(session)) void onceOpen(session, () => drop(message));
    else drop(message);
  });
}
