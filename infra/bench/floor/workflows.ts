import { executeChild, ParentClosePolicy, proxyActivities } from '@temporalio/workflow';

/** What one floor session does. */
export interface FloorInput {
  readonly session: string;
  readonly steps: number;
  /** Whether a step is a workflow of its own, as by default in the product, or runs inside its turn. */
  readonly isolation: 'child' | 'inline';
}

interface FloorActivities {
  model(): Promise<void>;
  tool(): Promise<void>;
}

const { model, tool } = proxyActivities<FloorActivities>({ startToCloseTimeout: '1m', heartbeatTimeout: '3s' });

/** The outermost of the product's three levels, doing nothing but running one turn. */
export async function floorSession(input: FloorInput): Promise<void> {
  await executeChild(floorTurn, {
    workflowId: `${input.session}/turn:1`,
    args: [input],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
  });
}

/** A turn: its steps one after the other. The last one asks for no tool, as the last answer of a model does. */
export async function floorTurn(input: FloorInput): Promise<void> {
  for (let step = 1; step <= input.steps; step += 1) {
    const calls = step < input.steps ? 1 : 0;
    if (input.isolation === 'inline') await floorStep(calls);
    else
      await executeChild(floorStep, {
        workflowId: `${input.session}/turn:1/step:${step}`,
        args: [calls],
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      });
  }
}

/** A step: the two activities without which there is no step. */
export async function floorStep(calls: number): Promise<void> {
  await model();
  for (let call = 0; call < calls; call += 1) await tool();
}
