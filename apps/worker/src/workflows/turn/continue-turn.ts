import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { continueAsNewDue } from '@everturn/core/domain';
import type { TurnInput, TurnResult } from '../../contract/index.ts';
import type { TurnState } from './turn-state.ts';

/** Moves a long turn to a fresh history, between two steps and with nothing unacknowledged. */
export async function continueTurnIfDue(turn: TurnState): Promise<void> {
  // A change just taken is written and told by this run, which knows it.
  if (
    turn.start ||
    turn.calledFor.length > 0 ||
    !isDue() ||
    !turn.assembly ||
    turn.composedUnder !== turn.permissions.now
  )
    return;
  await turn.writer.flush();
  await condition(allHandlersFinished);
  if (turn.writer.dirty) return; // somebody had something written meanwhile
  const input: TurnInput = {
    ...turn.input,
    instance: turn.instance,
    usage: turn.usage,
    highestAcknowledged: turn.writer.highestAcknowledged,
    carried: {
      nextEvent: turn.writer.log.state().next,
      step: turn.step,
      priorFailures: turn.priorFailures,
      tokenLimit: turn.tokenLimit,
      assembly: turn.assembly,
      steering: turn.steering.state(),
      injected: turn.injected.state(),
      consumed: turn.consumed,
      ...(turn.spoken && { spoken: true as const }),
      ...(turn.knobs && { knobs: turn.knobs }),
      ...(turn.composedUnder && { permissions: turn.composedUnder }),
    },
  };
  delete input.rows;
  await continueAsNew<(input: TurnInput) => Promise<TurnResult>>(input);
}

function isDue(): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return continueAsNewDue({
    use: { updates: 0, signals: 0, events: historyLength, bytes: historySize, continueAsNewSuggested },
    task: 'later', // a step has just run
    inFlight: 0,
  });
}
