import { defineQuery, setHandler, uuid4 } from '@temporalio/workflow';
import {
  changeGoal,
  countRound,
  goalAuthority,
  isChanged,
  isGoalError,
  NO_GOAL,
  readToolRequest,
  viewGoal,
  type GoalChange,
  type GoalError,
  type GoalId,
  type GoalReply,
  type GoalRequest,
  type GoalToolRequest,
  type GoalView,
} from '@everturn/core/domain';
import { publishLive } from './publish-live.ts';
import { writeSoon } from './session-facts.ts';
import type { SessionState } from './session-state.ts';

/** Lets clients ask whether rounds follow each other, which no log says. */
export function listenToGoalQueries(session: SessionState): void {
  setHandler(defineQuery<GoalView>('goal'), () => viewGoal(session.goal ?? NO_GOAL));
}

/** Why a change of the goal would be refused now, if it would. */
export function goalRefusal(session: SessionState, request: GoalRequest): GoalError | undefined {
  const result = changeGoal(session.goal ?? NO_GOAL, request, { now: Date.now(), newId: 'goal-new' as GoalId });
  return isChanged(result) ? undefined : result;
}

/** Changes the goal at once; `written` is called when the log has it. A round that nobody has let in yet is taken back. */
export function changeSessionGoal(
  session: SessionState,
  request: GoalRequest,
  written?: () => void,
): GoalError | undefined {
  const newId = (request.operation === 'create' ? `goal-${uuid4()}` : '') as GoalId;
  const result = changeGoal(session.goal ?? NO_GOAL, request, { now: Date.now(), newId });
  if (!isChanged(result)) return result;
  session.goal = result.state;
  writeSoon(session, {
    plugin: 'goal',
    events: [{ type: 'goal/change', data: result.change }],
    written: () => {
      announceChange(session, result.change);
      written?.();
    },
  });
  if (session.running?.source.kind === 'goal') session.running.send('retract', {});
  return undefined;
}

function announceChange(session: SessionState, change: GoalChange): void {
  const { operation } = change;
  if (operation === 'clear') return publishLive(session, { kind: 'goal/changed', operation, ref: change.cleared });
  const { goal } = change;
  publishLive(session, { kind: 'goal/changed', operation, ref: { id: goal.id, revision: goal.revision }, goal });
}

/** Answers a tool's call; what it changes is in the log before. */
export function answerGoal(
  session: SessionState,
  { request, spoken }: { request: GoalToolRequest; spoken: boolean },
  answer: (reply: GoalReply) => void,
): void {
  countRunningRound(session);
  const refuse = (error: GoalError) => answer({ kind: 'goal-refused', error });
  const shown = (by?: 'person' | 'round') => () =>
    answer({ kind: 'goal', view: viewGoal(session.goal ?? NO_GOAL), ...(by && { by }) });
  if (request.tool === 'get') return shown()();
  const source = session.running?.source;
  const authority = goalAuthority({ source, spoken, owned: session.input.owner !== undefined });
  const change = readToolRequest(session.goal ?? NO_GOAL, request, authority);
  if (isGoalError(change)) return refuse(change);
  const refused = changeSessionGoal(session, change, shown(authority.kind === 'round' ? 'round' : 'person'));
  if (refused) refuse(refused);
}

/** A step runs, so the message of its round was let in. */
function countRunningRound(session: SessionState): void {
  const { goal, running } = session;
  if (!goal || running?.source.kind !== 'goal') return;
  const counted = countRound(goal, running.source);
  if (typeof counted === 'object') session.goal = counted;
}
