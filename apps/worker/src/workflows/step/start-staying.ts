import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { SESSION_WORKFLOW, type SessionInput } from '@everturn/core/protocol';
import type { SessionRef } from '../../contract/index.ts';
import { childOptions, type RunChildInput } from './run-child.ts';

export interface StayingChild extends Omit<RunChildInput, 'mode'> {
  intent: SessionInput['intent'];
}

/** Starts the workflow of an agent that stays, which outlives whoever starts it; `running`: it ran already. */
export async function startStaying(
  parent: Pick<SessionRef, 'session' | 'tenant'>,
  { intent, ...input }: StayingChild,
): Promise<'started' | 'running'> {
  const options = childOptions(parent, { ...input, mode: 'continuable' });
  const [start] = options.args;
  try {
    await startChild(SESSION_WORKFLOW, {
      ...options,
      args: [{ ...start, intent }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    });
    return 'started';
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return 'running';
  }
}
