import { defineSignal, getExternalWorkflowHandle, setHandler } from '@temporalio/workflow';
import type { AskSession, SessionReply } from '@everturn/core/protocol';
import { errand } from './session-errands.ts';
import { answerGoal } from './session-goal.ts';
import { changeReminders } from './session-reminders.ts';
import type { SessionState } from './session-state.ts';

/** Answers steps that ask for what only the session may change; what it changed is in the log before they hear of it. */
export function listenToSteps(session: SessionState): void {
  setHandler(defineSignal<[AskSession]>('ask'), ({ id, replyTo, question }) => {
    session.signals += 1;
    const answer = (reply: SessionReply['reply']) => send(session, replyTo, { id, reply });
    if (question.about === 'goal') answerGoal(session, question, answer);
    else changeReminders(session, question.request, answer);
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
