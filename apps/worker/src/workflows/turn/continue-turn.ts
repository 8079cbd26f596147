import { allHandlersFinished, condition, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import { continueAsNewDue } from '@everturn/core/domain';
import type { TurnInput, TurnResult } from '../../contract/index.ts';
import type { TurnState } from './turn-state.ts';

/** Moves a long turn to a fresh history, between two steps and with nothing unacknowledged. */
export async function continueTurnIfDue(turn: TurnState): Promise<void> {
  if (!isDue() || !mayContinue(turn)) return;
  await turn.writer.flush();
  await condition(allHandlersFinished);
  if (turn.writer.dirty) return; // somebody had something written meanwhile
  if (cameMeanwhile(turn) && patched('turn-stays-for-what-came')) return;
  if (turn.news.length > 0 && patched('turn-stays-for-news')) return;
  await continueAsNew<(input: TurnInput) => Promise<TurnResult>>(nextInput(turn));
}

/** A change just taken is written and told by this run, which knows it. */
const mayContinue = ({ start, calledFor, assembly, composedUnder, permissions }: TurnState): boolean =>
  !start && calledFor.length === 0 && assembly !== undefined && composedUnder === permissions.now;

/** What the next run would not be given; a cancel above all, for Temporal does not hand that on. */
const cameMeanwhile = (turn: TurnState): boolean =>
  turn.stop.requested || !mayContinue(turn) || turn.notices.length + turn.startContexts.length > 0;

function nextInput(turn: TurnState): TurnInput {
  if (!turn.assembly) throw new TypeError('a turn goes on after a step, which had an assembly');
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
      ...(turn.reason && { reason: turn.reason }),
      ...(turn.title !== undefined && { title: turn.title }),
      ...(turn.titleDue && { titleDue: turn.titleDue }),
    },
  };
  delete input.rows;
  return input;
}

function isDue(): boolean {
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return continueAsNewDue({
    use: { updates: 0, signals: 0, events: historyLength, bytes: historySize, continueAsNewSuggested },
    task: 'later', // a step has just run
    inFlight: 0,
  });
}
