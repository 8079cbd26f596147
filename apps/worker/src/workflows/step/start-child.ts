import { getExternalWorkflowHandle, ParentClosePolicy, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { RequestId } from '@everturn/core/domain';
import { SESSION_WORKFLOW, sessionWorkflowId, type ChildMessage, type SessionInput } from '@everturn/core/protocol';
import { childOptions, type RunChildInput } from './run-child.ts';
import type { StepState } from './step-state.ts';

export interface StartChildInput extends Omit<RunChildInput, 'mode'> {
  /** The message it is started for, which it finds by itself. */
  message: RequestId;
  intent: SessionInput['intent'];
}

/**
 * Starts an agent that stays, and returns once its workflow runs; it outlives this step. The session knows before that
 * the agent is at work, so that it cannot think itself done in between. `running`: it ran already.
 */
export async function startChildOf(step: StepState, input: StartChildInput): Promise<'started' | 'running'> {
  const { child, message, intent } = input;
  await tellSession(step, 'childCalled', { child, message });
  const options = childOptions(step.input, { ...input, mode: 'continuable' });
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

/** Tells the step's session of a child; a session that is gone has none. */
export async function tellSession(
  { input }: StepState,
  signal: 'childCalled' | 'childReleased',
  message: ChildMessage,
): Promise<void> {
  await getExternalWorkflowHandle(sessionWorkflowId(input.session))
    .signal<[ChildMessage]>(signal, message)
    .catch(() => undefined);
}
