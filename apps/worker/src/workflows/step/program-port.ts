import { isCancellation, patched } from '@temporalio/workflow';
import { PROGRAM_WORKFLOW, programWorkflowId } from '@everturn/core/protocol';
import {
  abortedResult,
  errorResult,
  type ReferredResult,
  type RunProgramRequest,
  type WorkflowSettings,
} from '@everturn/tools/kit';
import type { ProgramInput, ProgramResult } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { keepFailure, type FailureKeeper } from './keep-failure.ts';
import { settingsOf } from './offered-tool.ts';
import { runPart } from './run-part.ts';
import { placeOf, stepRef, type StepState } from './step-state.ts';

/** What a call can run programs with. */
export const programsOf = (step: StepState, run: CallRun): FailureKeeper<RunProgramRequest> =>
  keepFailure((request) => runChild(step, run, request));

async function runChild(step: StepState, run: CallRun, request: RunProgramRequest): Promise<ReferredResult | Error> {
  // Programs of before could run none.
  if (step.program && !patched('scripts-in-programs'))
    return errorResult(new Error('workflow cannot be called by a program'));
  // The call it belongs to stands in the log before anything it does.
  await step.writer.flush();
  const input = programInput(step, run, request);
  const { session, turn, step: number } = input;
  const workflowId = programWorkflowId(session, turn, number, placeOf(step, run.call));
  const result = await runPart<ProgramInput, ProgramResult>(step, run, { type: PROGRAM_WORKFLOW, workflowId, input });
  if (result.kind === 'failed')
    return step.stop.requested && isCancellation(result.error) ? abortedResult('before-dispatch') : result.error;
  const { outcome, highestAcknowledged, registry, assembly, plan } = result.value;
  step.writer.takeOver([], undefined, highestAcknowledged);
  step.registry = registry;
  step.assembly = assembly;
  if (plan) step.plan = plan;
  const { contexts, ...rest } = outcome;
  return { ...rest, ...(contexts && { additionalContexts: contexts }) };
}

/** Bodies of a program's calls that run at once, or agents of a script. */
const parallelOf = ({ kind }: RunProgramRequest, { program, workflow }: WorkflowSettings): number =>
  kind === 'workflow' ? workflow.maxConcurrentAgents : program.maxParallelSubCalls;

function programInput(step: StepState, { call, granted }: CallRun, request: RunProgramRequest): ProgramInput {
  const { index, callId } = call;
  const { turn, step: number, searchAttributes } = step.input;
  return {
    ...stepRef(step.input),
    turn,
    step: number,
    call: { index, callId, ...(step.program && { within: step.program.index }) },
    ...request,
    maxParallel: parallelOf(request, settingsOf(step, call)),
    assembly: step.assembly,
    highestAcknowledged: step.writer.highestAcknowledged,
    searchAttributes,
    ...(step.permissions.now && { permissions: step.permissions.now }),
    ...(granted && { granted }),
    ...(step.input.owner && { owner: step.input.owner }),
  };
}
