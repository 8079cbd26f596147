import { assertNever, checkEscalation } from '@everturn/core/domain';
import { abortedResult, denialResult, type EscalationSubject } from '@everturn/tools/kit';
import { askApproval } from './approval.ts';
import { finish, type CallRun } from './call-run.ts';
import type { StepState } from './step-state.ts';

/** Whether a call asks for a wider mode, so that it cannot start before that is decided. */
export const asksToEscalate = (step: StepState, { call }: CallRun): boolean =>
  call.escalation !== undefined && step.assembly.tools[call.name]?.escalation !== undefined;

/** Judges the wish and asks a person; what is granted is this one call's. */
export async function escalateCall(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  const { call } = run;
  const subject = step.assembly.tools[call.name]?.escalation;
  const mode = run.granted ?? step.permissions.now?.sandbox;
  if (!call.escalation || !subject) return 'clear';
  if (!mode) return refuse(run, `sandbox_permissions is not available in this composition (no mode to escalate from)`);
  const check = checkEscalation({ request: call.escalation, mode });
  switch (check.kind) {
    case 'refused':
      return refuse(run, check.message);
    case 'clear':
      return 'clear';
    case 'ask':
      break;
    default:
      return assertNever(check);
  }
  const outcome = await askApproval(step, call, check.reason, 'escalation');
  if (outcome === 'allowed-once') {
    run.granted = check.mode;
    return 'clear';
  }
  if (outcome === 'cancelled' && step.stop.requested) {
    finish(run, abortedResult('before-dispatch'));
    return 'settled';
  }
  return refuse(run, notGranted(outcome, subject, check.mode));
}

function notGranted(
  outcome: 'rejected' | 'cancelled' | 'unavailable',
  subject: EscalationSubject,
  mode: string,
): string {
  switch (outcome) {
    case 'rejected':
      return `the user rejected escalating this ${subject} to "${mode}"`;
    case 'cancelled':
      return `approval for escalating to "${mode}" was cancelled`;
    case 'unavailable':
      return `escalating this ${subject} to "${mode}" requires approval, but no approval channel is available`;
    default:
      return assertNever(outcome);
  }
}

function refuse(run: CallRun, message: string): 'settled' {
  finish(run, denialResult(message));
  return 'settled';
}
