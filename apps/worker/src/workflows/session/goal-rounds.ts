import { nextRound, text, type MessageEntry, type NextRound, type RequestId } from '@everturn/core/domain';
import { runMessage } from './run-turn.ts';
import { changeSessionGoal } from './session-goal.ts';
import type { SessionState } from './session-state.ts';
import { refOf } from './settle-goal.ts';

/** What the goal asks for when nothing else waits. */
export function nextGoalRound({ goal }: SessionState): NextRound | undefined {
  return goal && nextRound(goal);
}

/** Runs one round as a turn, or ends the rounds. */
export async function runGoalRound(session: SessionState, next: NextRound): Promise<void> {
  const record = session.goal?.record;
  if (!record) return;
  if (next.kind === 'block') {
    changeSessionGoal(session, { operation: 'block', ref: refOf(record), reason: next.reason });
    return;
  }
  const { source } = next;
  const entry: MessageEntry = {
    requestId: `${source.goalId}.${source.revision}.${source.round}` as RequestId,
    kind: 'prompt',
    content: [text(next.text)],
    source,
    preview: `goal round ${source.round}/${record.goal.maxGoalRounds}`,
    facts: [],
  };
  await runMessage(session, entry);
}
