import { condition, workflowInfo } from '@temporalio/workflow';
import { assertNever, type ApprovalOutcome } from '@everturn/core/domain';
import type { RequestedCall } from '../../contract/index.ts';
import { publishWaiting } from '../shared/search-attributes.ts';
import { describeStep } from './step-details.ts';
import type { StepState } from './step-state.ts';

/** Asks a person about one call and waits as long as it takes; the pair of events is always complete. */
export async function askApproval(step: StepState, call: RequestedCall, reason?: string): Promise<ApprovalOutcome> {
  const id = `t${step.input.turn}.s${step.input.step}.c${call.index}`;
  const asked = { id, toolName: call.name, callId: call.callId, ...(reason !== undefined && { reason }) };
  const row = {
    id,
    kind: 'approval' as const,
    turn: step.input.turn,
    step: step.input.step,
    callId: call.callId,
    answerTo: workflowInfo().workflowId,
    request: { toolName: call.name, ...(reason !== undefined && { reason }) },
  };
  step.answers.ask(id);
  describeStep(step, { id, call, reason });
  step.writer.append('approval/asked', asked);
  step.writer.change({ status: 'waiting', interactions: [{ ...row, state: 'open' }] });
  publishWaiting(step.input.searchAttributes, 'waiting');
  await step.writer.flush();
  await condition(() => step.stop.requested || step.answers.answerTo(id) !== undefined);
  const outcome = outcomeOf(step.answers.answerTo(id)?.decision);
  step.answers.close(id);
  publishWaiting(step.input.searchAttributes, 'running');
  describeStep(step);
  step.writer.append('approval/decided', { id, outcome });
  step.writer.change({
    status: 'running',
    interactions: [{ ...row, state: outcome === 'cancelled' ? 'cancelled' : 'answered', outcome }],
  });
  await step.writer.flush();
  return outcome;
}

function outcomeOf(decision: 'allow' | 'deny' | undefined): ApprovalOutcome {
  if (decision === undefined) return 'cancelled';
  switch (decision) {
    case 'allow':
      return 'allowed-once';
    case 'deny':
      return 'rejected';
    default:
      return assertNever(decision, 'decision');
  }
}
