import {
  ChildWorkflowCancellationType,
  isCancellation,
  ParentClosePolicy,
  startChild,
  Trigger,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { STEP_WORKFLOW, stepWorkflowId, WORKFLOW_TASK_TIMEOUT_MS } from '@everturn/core/protocol';
import type { Assembly, StepInput, StepResult } from '../../contract/index.ts';
import { runStep } from '../step/run-step.ts';
import { sendTo } from '../shared/permission-cell.ts';
import { identityAttributes } from '../shared/search-attributes.ts';
import type { TurnState } from './turn-state.ts';

type StepWorkflow = (input: StepInput) => Promise<StepResult>;

/** Runs the turn's next step, in a workflow of its own or here; `undefined` when a stop came before it began. */
export async function runOneStep(turn: TurnState, assembly: Assembly): Promise<StepResult | undefined> {
  if (turn.writer.heavy) await turn.writer.flush();
  const input = stepInput(turn, assembly);
  if (turn.input.isolation === 'inline') return runStep(input, turn);
  const started = new Trigger<ChildWorkflowHandle<StepWorkflow>>();
  turn.sendToStep = sendTo(started);
  const result = await turn.stop.child(async () => {
    const handle = await startChild<StepWorkflow>(STEP_WORKFLOW, {
      workflowId: stepWorkflowId(input.session, input.turn, input.step),
      args: [input],
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      ...identityAttributes(input.searchAttributes, input),
      staticSummary: `step ${input.step} of turn ${input.turn}: ${assembly.config.model}`,
    });
    started.resolve(handle);
    return handle.result();
  });
  delete turn.sendToStep;
  if (result.kind === 'returned') return result.value;
  if (turn.stop.requested && isCancellation(result.error)) return undefined;
  throw result.error;
}

function stepInput(turn: TurnState, assembly: Assembly): StepInput {
  const owed = headerOwed(turn, assembly);
  const { pending, rows } = turn.writer.handOver();
  return {
    ...turn.ref,
    turn: turn.input.turn,
    step: turn.step,
    assembly,
    ...(owed && { headerOwed: owed }),
    unacknowledged: pending,
    highestAcknowledged: turn.writer.highestAcknowledged,
    searchAttributes: turn.input.searchAttributes,
    ...(turn.instance.repeats && { repeats: turn.instance.repeats }),
    ...(turn.permissions.now && { permissions: turn.permissions.now }),
    ...(turn.input.owner && { owner: turn.input.owner }),
    ...(turn.spoken && { spoken: true as const }),
    ...(rows && { rows }),
  };
}

/** A loop instance's first request is always logged, later ones only when they differ. */
function headerOwed({ instance }: TurnState, assembly: Assembly): StepInput['headerOwed'] {
  if (instance.header) return instance.header.digest === assembly.digest ? undefined : 'change';
  return instance.logHadHeader ? 'resume' : 'initial';
}
