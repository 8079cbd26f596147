import { isCancellation } from '@temporalio/workflow';
import { PROGRAM_WORKFLOW, programWorkflowId } from '@everturn/core/protocol';
import { abortedResult, type ReferredResult, type RunProgramRequest, type WorkflowSettings } from '@everturn/tools/kit';
import type { ProgramInput, ProgramResult } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { keepFailure, type FailureKeeper } from './keep-failure.ts';
import { settingsOf } from './offered-tool.ts';
import { runPart } from './run-part.ts';
import { stepRef, type StepState } from './step-state.ts';

/** What a call can run programs with; in a program none runs in another. */
export const programsOf = (step: StepState, run: CallRun): FailureKeeper<RunProgramRequest> =>
  step.program ? {} : keepFailure((request) => runChild(step, run, request));

async function runChild(step: StepState, run: CallRun, request: RunProgramRequest): Promise<ReferredResult | Error> {
  // The call it belongs to stands in the log before anything it does.
  await step.writer.flush();
  const input = programInput(step, run, request);
  const { session, turn, step: number } = input;
  const workflowId = programWorkflowId(session, turn, number, run.call.index);
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
    call: { index, callId },
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
