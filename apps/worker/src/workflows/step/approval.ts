import { assertNever, type ApprovalOutcome } from '@everturn/core/domain';
import type { AnswerSignal, RequestedCall } from '../../contract/index.ts';
import { withoutAsking } from './decide-call.ts';
import { placeOf, type StepState } from './step-state.ts';
import { waitForPerson } from './wait-for-person.ts';

/** Asks a person about one call and waits as long as it takes; the pair of events is always complete. */
export async function askApproval(
  step: StepState,
  call: RequestedCall,
  reason?: string,
  about: 'call' | 'escalation' = 'call',
): Promise<ApprovalOutcome> {
  const { turn, step: number } = step.input;
  // Both may be asked of one call, policy's question first.
  const id = `t${turn}.s${number}.c${placeOf(step, call)}${about === 'call' ? '' : '.escalation'}`;
  const { name: toolName, callId } = call;
  const why = reason === undefined ? {} : { reason };
  step.writer.append('approval/asked', { id, toolName, callId, ...why });
  const unasked = withoutAsking(step.permissions.now?.approval);
  if (unasked) return rejectUnasked(step, id);
  const answer = await waitForPerson(step, {
    id,
    kind: 'approval',
    call,
    request: { toolName, ...why },
    shown: { kind: 'approval', id, call, ...why },
    check: ({ kind }) => (kind === 'approval' ? undefined : `"${id}" is an approval: allow or deny it`),
    outcomeOf,
    onSettled: (given) => step.writer.append('approval/decided', { id, outcome: outcomeOf(given) }),
  });
  return outcomeOf(answer);
}

function outcomeOf(answer: AnswerSignal['answer'] | undefined): ApprovalOutcome {
  if (answer?.kind !== 'approval') return 'cancelled';
  switch (answer.decision) {
    case 'allow':
      return 'allowed-once';
    case 'deny':
      return 'rejected';
    default:
      return assertNever(answer.decision, 'decision');
  }
}

/** Nobody is asked; the pair is complete all the same, so that readers see what was refused. */
async function rejectUnasked(step: StepState, id: string): Promise<ApprovalOutcome> {
  step.writer.append('approval/decided', { id, outcome: 'rejected' });
  await step.writer.flush();
  return 'rejected';
}
