import { describeGoal, isGoalError, NO_GOAL, readGoalCommand, viewGoal } from '@everturn/core/domain';
import { changeSessionGoal } from '../session-goal.ts';
import { failed, succeeded, type SessionCommand } from './command.ts';

/** `/goal`, `/goal <objective>` and its verbs; rounds begin as soon as nothing else waits. */
export const goal: SessionCommand = {
  name: 'goal',
  run(session, { input }) {
    const wish = readGoalCommand(session.goal ?? NO_GOAL, input);
    if (isGoalError(wish)) return failed(`${wish.code}: ${wish.message}`);
    const refused = wish.kind === 'change' ? changeSessionGoal(session, wish.request) : undefined;
    return refused
      ? failed(`${refused.code}: ${refused.message}`)
      : succeeded(describeGoal(viewGoal(session.goal ?? NO_GOAL)));
  },
};
