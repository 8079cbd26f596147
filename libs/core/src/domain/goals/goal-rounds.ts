import type { TurnEndReason } from '../events.ts';
import type { BlockedReason, GoalState } from './goal.ts';
import type { GoalSource } from './goal-events.ts';

/** Why a round's message is not let in when the goal has changed since it was made. */
export const STALE_ROUND = 'stale goal-round reservation';

/** What a session whose goal is armed does when it has nothing else to do. */
export type NextRound = { kind: 'round'; source: GoalSource; text: string } | { kind: 'block'; reason: BlockedReason };

/** The next round of an active goal that is armed; `undefined` where rounds do not follow by themselves. */
export function nextRound({ record, activation }: GoalState): NextRound | undefined {
  if (!record || activation !== 'armed' || record.goal.phase !== 'active') return undefined;
  const { goal, roundsStarted } = record;
  const round = roundsStarted + 1;
  if (round > goal.maxGoalRounds)
    return {
      kind: 'block',
      reason: {
        code: 'round-limit',
        message: `all ${goal.maxGoalRounds} rounds were used before the goal was reached`,
      },
    };
  const source: GoalSource = { kind: 'goal', goalId: goal.id, revision: goal.revision, round };
  return { kind: 'round', source, text: roundText(goal.objective, round, goal.maxGoalRounds) };
}

function roundText(objective: string, round: number, most: number): string {
  return [
    '<goal_round>',
    `Objective: ${JSON.stringify(objective)}`,
    `Round: ${round}/${most}`,
    'Go on working towards the objective in this session. Trust what files and tool results say now more than what was told earlier.',
    'Do the next piece of work and verify it. Then read the goal with get_goal: mark it complete with update_goal only with evidence that all of it is reached, otherwise leave it active, and another round follows.',
    'Report it as blocked only when you cannot go on without a person, after you did what the tools and their policy allow.',
    '</goal_round>',
  ].join('\n');
}

/** What the end of a turn means for the goal. */
export type AfterTurn =
  | { kind: 'go-on' }
  | { kind: 'pause' }
  | { kind: 'disarm' }
  | { kind: 'block'; reason: BlockedReason };

/** After a round of the goal. No round is tried again by itself. */
export function afterRound(reason: TurnEndReason): AfterTurn {
  switch (reason.kind) {
    case 'completed':
      return { kind: 'go-on' };
    case 'aborted':
      return { kind: 'pause' };
    case 'disposed':
    case 'interrupted':
      return { kind: 'disarm' };
    case 'max-tokens':
      return blocked('max-tokens', 'an answer of the round hit the limit of output tokens');
    case 'rejected':
      return reason.reason === STALE_ROUND
        ? { kind: 'go-on' }
        : blocked('prompt-rejected', reason.reason || 'the round was not let in');
    case 'error': {
      if (!('failure' in reason)) return blocked('turn-error', reason.message);
      const { code, message } = reason.failure;
      return blocked(code === 'RATE_LIMIT' || code === 'QUOTA' ? 'usage-limited' : 'turn-error', message);
    }
    default:
      return blocked('unknown-turn-outcome', 'the round ended in a way nobody knows');
  }
}

/** After any other turn: one that somebody broke off ends the rounds, too. */
export const afterOtherTurn = ({ kind }: Pick<TurnEndReason, 'kind'>): AfterTurn =>
  kind === 'aborted' || kind === 'interrupted' ? { kind: 'disarm' } : { kind: 'go-on' };

const blocked = (code: string, message: string): AfterTurn => ({
  kind: 'block',
  reason: { code, message: message === '' ? code : message },
});
