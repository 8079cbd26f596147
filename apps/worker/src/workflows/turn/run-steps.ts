import { assertNever, type TurnEndReason } from '@everturn/core/domain';
import type { StepResult } from '../../contract/index.ts';
import { absorbStep } from './absorb-step.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { compactUnderPressure } from './compact-history.ts';
import { composeHeader, composePrefix } from './compose-header.ts';
import { decideAfterFailure } from './decide-after-failure.ts';
import { decideContinuation } from './decide-continuation.ts';
import { continueTurnIfDue } from './continue-turn.ts';
import { appendStartContexts } from './detached-start.ts';
import { runOneStep } from './run-one-step.ts';
import { listens } from '../step/step-state.ts';
import { describeTurn } from './turn-details.ts';
import { failureReason, reasonOf, stopReason } from './turn-end-reason.ts';
import { callForTitle } from './title-session.ts';
import { settleTurnKnobs } from './turn-knobs.ts';
import { appendNotices } from './turn-permissions.ts';
import { abortTurn } from './turn-signals.ts';
import { appendContexts, appendInjected, appendNews, askerOf, drainSteering, type TurnState } from './turn-state.ts';

/** What follows a step: another one, or the turn's end. */
export type Next = { kind: 'continue' } | { kind: 'end'; reason: TurnEndReason };

/** The step loop. */
export async function runSteps(turn: TurnState): Promise<TurnEndReason> {
  for (;;) {
    turn.step += 1;
    drainSteering(turn);
    appendStartContexts(turn);
    appendInjected(turn);
    settleTurnKnobs(turn);
    appendNotices(turn);
    appendNews(turn);
    const refused = await prepareStep(turn);
    if (refused) return refused;
    const next = await takeStep(turn);
    if (next.kind === 'end') return next.reason;
    await continueTurnIfDue(turn);
  }
}

/** Everything before a step opens; returns why it does not. */
async function prepareStep(turn: TurnState): Promise<TurnEndReason | undefined> {
  const refused = (await composeHeader(turn)) ?? (await composePrefix(turn)) ?? (await preStep(turn));
  return refused ?? stopReason(turn);
}

async function preStep(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { assembly } = turn;
  if (!assembly || !listens({ assembly }, 'agent/pre-step')) return undefined;
  const verdict = await askListeners(askerOf(turn), { point: 'agent/pre-step' });
  return verdict.kind === 'threw' ? failureReason(turn, verdict) : undefined;
}

async function takeStep(turn: TurnState): Promise<Next> {
  const { assembly } = turn;
  if (!assembly) throw new TypeError('a step needs an assembly');
  describeTurn(turn, `step ${turn.step} runs`);
  const result = await runOneStep(turn, assembly);
  if (!result) return { kind: 'end', reason: reasonOf(turn) };
  absorbStep(turn, result, assembly);
  if (result.aborted && !turn.stop.requested) abortTurn(turn, 'user'); // somebody cancelled the step itself
  const { outcome } = result;
  switch (outcome.kind) {
    case 'failure':
      endStep(turn);
      return decideAfterFailure(turn, outcome.failure);
    case 'error':
      endStep(turn);
      return { kind: 'end', reason: failureReason(turn, outcome) };
    case 'message':
      turn.priorFailures = [];
      callForTitle(turn);
      if (outcome.finish === 'max-tokens') turn.tokenLimit = 'hit';
      return afterMessage(turn, result, outcome);
    default:
      return assertNever(outcome);
  }
}

/** What follows a batch, in this order: its contexts, then what was injected, then what was steered. */
async function afterMessage(
  turn: TurnState,
  result: StepResult,
  outcome: Extract<StepResult['outcome'], { kind: 'message' }>,
): Promise<Next> {
  appendContexts(turn, result.contexts);
  appendStartContexts(turn);
  appendInjected(turn);
  appendNotices(turn);
  const steered = turn.stop.requested ? 0 : drainSteering(turn);
  const failed = await postStep(turn);
  if (!failed) await compactUnderPressure(turn);
  endStep(turn);
  const reason = stopReason(turn) ?? failed;
  if (reason) return { kind: 'end', reason };
  return decideContinuation(turn, { toolCalls: outcome.calls, steered, concluded: outcome.concludesTurn });
}

async function postStep(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { assembly } = turn;
  if (!assembly || !listens({ assembly }, 'agent/post-step')) return undefined;
  const verdict = await askListeners(
    askerOf(turn),
    { point: 'agent/post-step', aborted: turn.stop.requested },
    { whenStopped: 'ask' },
  );
  return verdict.kind === 'threw' ? failureReason(turn, verdict) : undefined;
}

function endStep(turn: TurnState): void {
  turn.writer.append('step/end', { turn: turn.input.turn, step: turn.step });
}
