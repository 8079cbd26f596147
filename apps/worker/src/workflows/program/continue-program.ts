import { allHandlersFinished, condition, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import { continueAsNewDue } from '@everturn/core/domain';
import type { ProgramInput, ProgramResult } from '../../contract/index.ts';
import { stepRef } from '../step/step-state.ts';
import type { ProgramState } from './program-state.ts';

/** A run of the workflow starts no more calls than this. */
const CALLS_PER_RUN = 200;

/** Whether the program should go on with a fresh history, as soon as none of its calls is under way. */
export function continueDue({ started }: ProgramState): boolean {
  if (started >= CALLS_PER_RUN) return true;
  const { historyLength, historySize, continueAsNewSuggested } = workflowInfo();
  return continueAsNewDue({
    use: { updates: 0, signals: 0, events: historyLength, bytes: historySize, continueAsNewSuggested },
    task: started > 0 ? 'later' : 'first',
    inFlight: 0,
  });
}

/**
 * Moves a program to a fresh history; calls that wait are made again by the program itself when it is brought there.
 * Returns if it has been ended meanwhile, for the next run would not hear of that.
 */
export async function continueProgram(program: ProgramState): Promise<ProgramResult | undefined> {
  const { input, step, journal, known, code, startedAt, time } = program;
  await step.writer.flush();
  await condition(allHandlersFinished);
  if (program.over && patched('ended-program-stays')) return undefined;
  const next: ProgramInput = {
    ...input,
    ...stepRef(step.input),
    code,
    assembly: step.assembly,
    ...(step.permissions.now && { permissions: step.permissions.now }),
    highestAcknowledged: step.writer.highestAcknowledged,
    carried: {
      nextEvent: step.writer.log.state().next,
      startedAt,
      spentMs: time.spentMs(Date.now()),
      journal,
      known,
      contexts: step.contexts,
      concludesTurn: step.concludesTurn,
      ...(step.plan && { plan: step.plan }),
      ...(program.output && { output: program.output }),
      ...(program.heard > 0 && { heard: program.heard }),
    },
  };
  return continueAsNew<(input: ProgramInput) => Promise<ProgramResult>>(next);
}
