import { defineSignal, setHandler } from '@temporalio/workflow';
import type { AskedBefore, AskSession, SessionReply } from '@everturn/core/protocol';
import { answerStep } from './answer-step.ts';
import { answerGoal } from './session-goal.ts';
import { changeReminders } from './session-reminders.ts';
import type { SessionState } from './session-state.ts';
import { answerTeamQuestion, answerWhetherAsked } from './team/answer-question.ts';

/** Answers steps that ask for what only the session may change; what it changed is in the log before they hear of it. */
export function listenToSteps(session: SessionState): void {
  setHandler(defineSignal<[AskSession]>('ask'), ({ id, replyTo, question }) => {
    session.signals += 1;
    const answer = (reply: SessionReply['reply']) => answerStep(session, replyTo, { id, reply });
    switch (question.about) {
      case 'goal':
        return answerGoal(session, question, answer);
      case 'team':
        return answerTeamQuestion(session, { id, replyTo, question });
      case 'reminders':
        changeReminders(session, question.request, answer);
    }
  });
  setHandler(defineSignal<[AskedBefore]>('asked'), (asked) => {
    session.signals += 1;
    answerWhetherAsked(session, asked);
  });
}
