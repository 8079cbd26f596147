import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { JOB_WORKFLOW, jobWorkflowId, WORKFLOW_TASK_TIMEOUT_MS } from '@everturn/core/protocol';
import type { AdmittedJob, JobAgent, JobInput, RequestedCall, RunJobResult } from '../../contract/index.ts';
import { identityAttributes } from '../shared/search-attributes.ts';
import type { Place } from './place-call.ts';
import { stepRef, type StepState } from './step-state.ts';

export interface StartJobInput extends Pick<JobInput, 'sandbox'> {
  job: AdmittedJob;
  place: Extract<Place, { kind: 'host' }>;
}

/** Starts the job a call was given; returns once its workflow runs, which then outlives this step. */
export async function startJob(
  step: StepState,
  call: RequestedCall,
  { job, place, sandbox }: StartJobInput,
): Promise<void> {
  const { cwd, shell } = step.assembly;
  const machine = { host: place.host, hostEpoch: place.epoch, ...(cwd !== undefined && { cwd }) };
  return start(step, call, { job, ...machine, ...(sandbox && { sandbox }), ...(shell && { shell }) });
}

/** Starts the job that is an agent, whose session is prepared. */
export async function startAgentJob(
  step: StepState,
  call: RequestedCall,
  { job, agent }: { job: AdmittedJob; agent: JobAgent },
): Promise<void> {
  // What it is to do its session knows; the arguments would only travel once more.
  return start(step, { ...call, arguments: '' }, { job, agent });
}

async function start(
  { input, program }: StepState,
  call: RequestedCall,
  about: Pick<JobInput, 'job' | 'host' | 'hostEpoch' | 'cwd' | 'sandbox' | 'shell' | 'agent'>,
): Promise<void> {
  const { job } = about;
  const { tool: _offered, ...called } = call;
  const started: JobInput = {
    ...stepRef(input),
    ...about,
    turn: input.turn,
    step: input.step,
    call: about.agent ? called : call,
    ...(program && { parent: program }),
    searchAttributes: input.searchAttributes,
  };
  try {
    await startChild<(input: JobInput) => Promise<RunJobResult>>(JOB_WORKFLOW, {
      workflowId: jobWorkflowId(input.session, job.id),
      args: [started],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      staticSummary: `${job.id}: ${Array.from(job.label).slice(0, 80).join('')}`,
      ...identityAttributes(input.searchAttributes, input),
    });
  } catch (error) {
    // Ids are never given out twice, so it is this very job.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
