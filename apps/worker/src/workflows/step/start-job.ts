import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { JOB_WORKFLOW, jobWorkflowId, WORKFLOW_TASK_TIMEOUT_MS } from '@everturn/core/protocol';
import type { AdmittedJob, JobInput, RequestedCall, RunJobResult } from '../../contract/index.ts';
import { identityAttributes } from '../shared/search-attributes.ts';
import type { Place } from './place-call.ts';
import { stepRef, type StepState } from './step-state.ts';

export interface StartJobInput extends Pick<JobInput, 'sandbox'> {
  job: AdmittedJob;
  place: Extract<Place, { kind: 'host' }>;
}

/** Starts the job a call was given; returns once its workflow runs, which then outlives this step. */
export async function startJob(
  { input, assembly, program }: StepState,
  call: RequestedCall,
  { job, place, sandbox }: StartJobInput,
): Promise<void> {
  const started: JobInput = {
    ...stepRef(input),
    job,
    turn: input.turn,
    step: input.step,
    call,
    ...(program && { parent: program }),
    host: place.host,
    hostEpoch: place.epoch,
    ...(assembly.cwd !== undefined && { cwd: assembly.cwd }),
    ...(sandbox && { sandbox }),
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
