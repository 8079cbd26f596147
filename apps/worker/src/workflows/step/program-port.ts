import { isCancellation } from '@temporalio/workflow';
import { PROGRAM_WORKFLOW, programWorkflowId } from '@everturn/core/protocol';
import {
  abortedResult,
  type ProgramPort,
  type ReferredResult,
  type RunProgramRequest,
  type WorkflowSettings,
} from '@everturn/tools/kit';
import type { ProgramInput, ProgramResult } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { settingsOf } from './offered-tool.ts';
import { runPart } from './run-part.ts';
import { stepRef, type StepState } from './step-state.ts';

/** Runs programs for one call, and keeps the failure of a program's workflow, which no tool may swallow. */
export interface CallPrograms {
  /** Absent in a program: none runs in another. */
  port?: ProgramPort;
  failure?: Error;
}

/** What a call can run programs with. */
export function programsOf(step: StepState, run: CallRun): CallPrograms {
  if (step.program) return {};
  const programs: CallPrograms = {
    port: {
      async run(request) {
        const result = await runChild(step, run, request);
        if (result instanceof Error) throw (programs.failure = result);
        return result;
      },
    },
  };
  return programs;
}

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
