import { DEFAULT_RETRY, nextRetry, type LlmFailure } from '@everturn/core/domain';
import { askListeners } from '../shared/ask-listeners.ts';
import { compactAfterOverflow } from './compact-history.ts';
import type { Next } from './run-steps.ts';
import { listens } from '../step/step-state.ts';
import { describeTurn } from './turn-details.ts';
import { reasonOf, stopReason } from './turn-end-reason.ts';
import { askerOf, type TurnState } from './turn-state.ts';

/** After a failed model call: wait and try a new step, or end the turn. A stop beats any decision. */
export async function decideAfterFailure(turn: TurnState, failure: LlmFailure): Promise<Next> {
  const retry = turn.stop.requested
    ? false
    : (await compactAfterOverflow(turn, failure)) ||
      (await waitForRetry(turn, failure)) ||
      (await listenersRetry(turn, failure));
  const stopped = stopReason(turn);
  if (stopped) return { kind: 'end', reason: stopped };
  if (!retry)
    return {
      kind: 'end',
      reason: reasonOf(turn, { kind: 'error', step: turn.step, failure: explained(turn, failure) }),
    };
  turn.priorFailures = [...turn.priorFailures, failure];
  return { kind: 'continue' };
}

/** What did not fit and could not be made shorter is said, too. */
function explained({ tooBig }: TurnState, failure: LlmFailure): LlmFailure {
  if (failure.code !== 'CONTEXT_WINDOW_EXCEEDED' || tooBig === undefined) return failure;
  return { ...failure, message: `${failure.message}; ${tooBig}` };
}

/** The built-in policy: bounded attempts with a durable wait that readers see before it begins. */
async function waitForRetry(turn: TurnState, failure: LlmFailure): Promise<boolean> {
  const plan = nextRetry({
    config: turn.assembly?.retry ?? DEFAULT_RETRY,
    failure,
    priorFailures: turn.priorFailures,
    random01: Math.random(),
  });
  if (plan.kind === 'fail') return false;
  const { retry, maxRetries, delayMs } = plan;
  turn.writer.append('llm/retry', { turn: turn.input.turn, step: turn.step, retry, maxRetries, delayMs, failure });
  describeTurn(turn, `waits ${Math.ceil(delayMs / 1000)} s, then asks the model again (${retry} of ${maxRetries})`);
  await turn.writer.flush();
  return turn.stop.pause(delayMs);
}

async function listenersRetry(turn: TurnState, failure: LlmFailure): Promise<boolean> {
  const { assembly, priorFailures } = turn;
  if (!assembly || !listens({ assembly }, 'agent/request-error')) return false;
  const verdict = await askListeners(askerOf(turn), { point: 'agent/request-error', failure, priorFailures });
  return verdict.kind === 'decided' && verdict.decision.action === 'retry';
}
