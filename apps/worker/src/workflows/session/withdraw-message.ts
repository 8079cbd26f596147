import { defineSignal, setHandler } from '@temporalio/workflow';
import type { WithdrawMessage } from '@everturn/core/protocol';
import { editQueued } from './session-queue.ts';
import type { SessionState } from './session-state.ts';

/** Lets whoever sent a message take it back: it is dropped while it waits, and its turn is stopped while that runs. */
export function listenToSenders(session: SessionState): void {
  setHandler(defineSignal<[WithdrawMessage]>('withdraw'), ({ message }) => {
    session.signals += 1;
    if (session.running?.message === message) session.running.send('abort', { cause: 'user' });
    else editQueued(session, { requestId: message, promptId: message });
  });
}
