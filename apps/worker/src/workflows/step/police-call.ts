import { assertNever } from '@everturn/core/domain';
import { abortedResult, denialResult, errorResult } from '@everturn/tools/kit';
import type { InterceptionDecisions } from '../../contract/index.ts';
import { askApproval } from './approval.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { finish, type CallRun } from './call-run.ts';
import { decisionOn } from './escalate-call.ts';
import { askerOf } from './step-asker.ts';
import { listens, placeOf, type StepState } from './step-state.ts';

/** Policy, then approval where policy asks for it, then guards, which can only refuse. */
export async function policeCall(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  if ((await preExecute(step, run)) === 'settled') return 'settled';
  return guard(step, run);
}

async function preExecute(step: StepState, run: CallRun): Promise<'clear' | 'settled'> {
  const decision = await decisionOf(step, run, 'tools/pre-execute');
  if (typeof decision === 'string') return decision;
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
  const own = decisionOn(step, run);
  if (own.kind === 'deny' && own.by === 'plan') return settled(run, denialResult(own.reason));
  const decision = await decisionOf(step, run, 'tools/guard');
  if (typeof decision === 'string') return decision;
  return decision.action === 'deny' ? settled(run, denialResult(decision.reason)) : 'clear';
}

/** What a point's listeners decide about a call; `clear` where nobody listens, `settled` where that is its end. */
async function decisionOf<P extends 'tools/pre-execute' | 'tools/guard'>(
  step: StepState,
  run: CallRun,
  point: P,
): Promise<InterceptionDecisions[P] | 'clear' | 'settled'> {
  if (!listens(step, point)) return 'clear';
  const { call } = run;
  const verdict = await askListeners<'tools/pre-execute' | 'tools/guard'>(
    askerOf(step),
    { point, call },
    { subject: placeOf(step, call) },
  );
  switch (verdict.kind) {
    case 'stopped':
      return settled(run, abortedResult('before-dispatch'));
    case 'threw':
      return settled(run, errorResult(new Error(verdict.message)), true);
    case 'decided':
      return verdict.decision as InterceptionDecisions[P]; // the answer is to the point that was asked
    default:
      return assertNever(verdict);
  }
}

function settled(run: CallRun, outcome: Parameters<typeof finish>[1], final = false): 'settled' {
  finish(run, outcome, final);
  return 'settled';
}
