import { getExternalWorkflowHandle } from '@temporalio/workflow';
import type { RequestId } from '@everturn/core/domain';
import { sessionWorkflowId, type ChildMessage } from '@everturn/core/protocol';
import { startStaying, type StayingChild } from './start-staying.ts';
import type { StepState } from './step-state.ts';

export interface StartChildInput extends StayingChild {
  /** The message it is started for, which it finds by itself. */
  message: RequestId;
}

/**
 * Starts an agent that stays, and returns once its workflow runs; it outlives this step. The session knows before that
 * the agent is at work, so that it cannot think itself done in between. `running`: it ran already.
 */
export async function startChildOf(step: StepState, input: StartChildInput): Promise<'started' | 'running'> {
  const { child, message, intent } = input;
  await tellSession(step, 'childCalled', { child, message });
  return startStaying(step.input, { ...input, intent });
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
