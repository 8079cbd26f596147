import { assertNever, type HostId } from '@everturn/core/domain';
import { abortedResult, errorResult } from '@everturn/tools/kit';
import type { RequestedCall, ToolOutcome } from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import type { CallRun } from './call-run.ts';
import { toolOf } from './offered-tool.ts';
import { askerOf } from './step-asker.ts';
import { listens, placeOf, type StepState } from './step-state.ts';

/** What listeners make of a finished call's outcome; its content is another object where they replaced it. */
export async function judgeCall(step: StepState, run: CallRun, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (!listens(step, 'tools/post-execute')) return outcome;
  const { call } = run;
  const verdict = await askListeners(
    askerOf(step),
    { point: 'tools/post-execute', call, outcome, ...(step.program && { nested: true }) },
    { subject: placeOf(step, call), whenStopped: 'ask', host: hostOf(step, call) },
  );
  switch (verdict.kind) {
    case 'stopped':
      return outcome;
    case 'threw':
      return errorResult(new Error(verdict.message));
    case 'decided':
      break;
    default:
      return assertNever(verdict);
  }
  const { decision } = verdict;
  const added = decision.additionalContexts ?? [];
  switch (decision.action) {
    case 'accept':
      return cancelled(step, {
        ...outcome,
        ...(decision.content && { content: decision.content }),
        contexts: [...(outcome.contexts ?? []), ...added],
      });
    case 'block':
      return { content: decision.feedback, isError: true, contexts: added };
    default:
      return assertNever(decision);
  }
}

/** Tells listeners of a result that is written. */
export async function announceResult(step: StepState, { call }: CallRun, outcome: ToolOutcome): Promise<void> {
  if (!listens(step, 'tools/result')) return;
  await askListeners(
    askerOf(step),
    { point: 'tools/result', call, outcome },
    { subject: placeOf(step, call), whenStopped: 'ask' },
  );
}

/** Where the body ran: what is spilled after the listeners must lie where the session's tools can read it. */
function hostOf(step: StepState, call: RequestedCall): HostId | undefined {
  return toolOf(step, call)?.home === 'host' ? step.assembly.host?.host : undefined;
}

/** A success that a cancel overtook while listeners judged it does not count as one. */
function cancelled(step: StepState, outcome: ToolOutcome): ToolOutcome {
  if (!step.stop.requested || outcome.isError) return outcome;
  return { ...abortedResult('running'), ...(outcome.contexts && { contexts: outcome.contexts }) };
}
