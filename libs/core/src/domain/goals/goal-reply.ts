import type { GoalView } from './goal.ts';
import type { GoalError } from './goal-error.ts';

/** What a session answers about its goal; a change is in the log by then. `by` says on whose word it was made. */
export type GoalReply =
  | { kind: 'goal'; view: GoalView; by?: 'person' | 'round' }
  | { kind: 'goal-refused'; error: GoalError };
