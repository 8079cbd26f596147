import { isCancellation } from '@temporalio/workflow';
import { RALPH_WORKFLOW, ralphWorkflowId } from '@everturn/core/protocol';
import { abortedResult, type RalphRequest, type ReferredResult } from '@everturn/tools/kit';
import type { RalphInput, RalphResult } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { keepFailure, type FailureKeeper } from './keep-failure.ts';
import { runPart } from './run-part.ts';
import { placeOf, stepRef, type StepState } from './step-state.ts';

/** What a call can run loops of agents with. */
export const loopsOf = (step: StepState, run: CallRun): FailureKeeper<RalphRequest> =>
  keepFailure((request) => runLoop(step, run, request));

async function runLoop(step: StepState, run: CallRun, request: RalphRequest): Promise<ReferredResult | Error> {
  // The call it belongs to stands in the log before anything it does.
  await step.writer.flush();
  if (step.stop.requested) return abortedResult('before-dispatch');
  const input = loopInput(step, run, request);
  const { session, turn, step: number, place } = input;
  const workflowId = ralphWorkflowId(session, turn, number, place);
  const result = await runPart<RalphInput, RalphResult>(step, run, { type: RALPH_WORKFLOW, workflowId, input });
  if (result.kind === 'failed')
    return step.stop.requested && isCancellation(result.error) ? abortedResult('before-dispatch') : result.error;
  const { outcome, highestAcknowledged } = result.value;
  step.writer.takeOver([], undefined, highestAcknowledged);
  return outcome;
}

function loopInput(step: StepState, { call }: CallRun, request: RalphRequest): RalphInput {
  const { turn, step: number, searchAttributes } = step.input;
  return {
    ...stepRef(step.input),
    turn,
    step: number,
    place: placeOf(step, call),
    logged: step.program === undefined,
    request,
    config: step.assembly.config,
    highestAcknowledged: step.writer.highestAcknowledged,
    searchAttributes,
    ...(step.permissions.now && { permissions: step.permissions.now }),
  };
}
