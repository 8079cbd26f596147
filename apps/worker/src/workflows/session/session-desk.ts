import { defineSignal, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import type { AskSession, SessionReply } from '@everturn/core/protocol';
import { errand } from './session-errands.ts';
import { changeReminders } from './session-reminders.ts';
import type { SessionState } from './session-state.ts';

/** Answers steps that ask for what only the session may change; what it changed is in the log before they hear of it. */
export function listenToSteps(session: SessionState): void {
  setHandler(defineSignal<[AskSession]>('ask'), ({ id, replyTo, request }) => {
    session.signals += 1;
    changeReminders(session, request, (reply) => send(session, replyTo, { id, reply }));
  });
}

/** A step that is gone needs no answer. */
function send(session: SessionState, replyTo: string, reply: SessionReply): void {
  errand(session, () =>
    getExternalWorkflowHandle(replyTo)
      .signal<[SessionReply]>('sessionReply', reply)
      .catch(() => undefined),
  );
}
