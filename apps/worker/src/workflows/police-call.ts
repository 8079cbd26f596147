import { assertNever } from '@everturn/core/domain';
import { abortedResult, denialResult, errorResult } from '@everturn/tools/kit';
import { askApproval } from './approval.ts';
import { askListeners } from './ask-listeners.ts';
import { finish, type CallRun } from './call-run.ts';
import { askerOf } from './step-asker.ts';
import { listens, type StepState } from './step-state.ts';

/** Policy, then approval where policy asks for it, then guards, which can only refuse. */
export async function policeCall(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  if ((await preExecute(step, run)) === 'settled') return 'settled';
  return guard(step, run);
}

async function preExecute(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  if (!listens(step, 'tools/pre-execute')) return 'clear';
  const { call } = run;
  const subject = String(call.index);
  const verdict = await askListeners(askerOf(step), { point: 'tools/pre-execute', call }, { subject });
  switch (verdict.kind) {
    case 'stopped':
      return settled(run, abortedResult('before-dispatch'));
    case 'threw':
      return settled(run, errorResult(new Error(verdict.message)), true);
    case 'decided':
      break;
    default:
      return assertNever(verdict);
  }
  const { decision } = verdict;
  switch (decision.action) {
    case 'allow':
      return 'clear';
    case 'deny':
      return settled(run, denialResult(decision.reason));
    case 'ask':
      return approve(step, run, decision.reason);
    default:
      return assertNever(decision);
  }
}

async function approve(step: StepState, run: CallRun, reason?: string): Promise<'clear' | 'settled'> {
  const outcome = await askApproval(step, run.call, reason);
  const tool = `tool "${run.call.name}"`;
  switch (outcome) {
    case 'allowed-once':
      return 'clear';
    case 'rejected':
      return settled(run, denialResult(`the user rejected ${tool}`));
    case 'cancelled':
      return settled(
        run,
        step.stop.requested ? abortedResult('before-dispatch') : denialResult(`approval for ${tool} was cancelled`),
      );
    case 'unavailable':
      return settled(run, denialResult(`${tool} requires approval, but no approval channel is available`));
    default:
      return assertNever(outcome);
  }
}

async function guard(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  if (!listens(step, 'tools/guard')) return 'clear';
  const { call } = run;
  const subject = String(call.index);
  const verdict = await askListeners(askerOf(step), { point: 'tools/guard', call }, { subject });
  switch (verdict.kind) {
    case 'stopped':
      return settled(run, abortedResult('before-dispatch'));
    case 'threw':
      return settled(run, errorResult(new Error(verdict.message)), true);
    case 'decided':
      return verdict.decision.action === 'deny' ? settled(run, denialResult(verdict.decision.reason)) : 'clear';
    default:
      return assertNever(verdict);
  }
}

function settled(run: CallRun, outcome: Parameters<typeof finish>[1], final = false): 'settled' {
  finish(run, outcome, final);
  return 'settled';
}
