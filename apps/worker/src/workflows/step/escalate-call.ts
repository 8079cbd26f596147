import { assertNever } from '@everturn/core/domain';
import { abortedResult, denialResult } from '@everturn/tools/kit';
import { askApproval } from './approval.ts';
import { finish, type CallRun } from './call-run.ts';
import { decideCall, notGranted, type CallDecision } from './decide-call.ts';
import { toolOf } from './offered-tool.ts';
import type { StepState } from './step-state.ts';

/** What our own policy says of a call as things stand now. */
export const decisionOn = (step: StepState, { call, granted }: CallRun): CallDecision =>
  decideCall({
    call,
    tool: toolOf(step, call),
    plan: step.assembly.plan,
    mode: granted ?? step.permissions.now?.sandbox,
  });

/** Whether a call cannot start before something is decided: it wants a wider mode, or plan mode may refuse it. */
export const isGuarded = (step: StepState, run: CallRun): boolean => decisionOn(step, run).kind !== 'run';

/** Judges a call's wish for a wider mode and asks a person; what is granted is this one call's. */
export async function escalateCall(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  const { call } = run;
  const decision = decisionOn(step, run);
  switch (decision.kind) {
    case 'run':
      return 'clear';
    case 'deny':
      return refuse(run, decision.reason);
    case 'ask':
      break;
    default:
      return assertNever(decision);
  }
  const outcome = await askApproval(step, call, decision.reason, 'escalation');
  if (outcome === 'allowed-once') {
    run.granted = decision.mode;
    return 'clear';
  }
  if (outcome === 'cancelled' && step.stop.requested) {
    finish(run, abortedResult('before-dispatch'));
    return 'settled';
  }
  return refuse(run, notGranted(outcome, decision));
}

function refuse(run: CallRun, message: string): 'settled' {
  finish(run, denialResult(message));
  return 'settled';
}
