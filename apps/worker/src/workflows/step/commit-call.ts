import { remindOfRepeats } from './remind-of-repeats.ts';
import { assertNever, type AuthoredEvent, type HostId } from '@everturn/core/domain';
import { abortedResult, errorResult } from '@everturn/tools/kit';
import type { ToolOutcome } from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import type { CallRun } from './call-run.ts';
import { appendCall } from './start-calls.ts';
import { askerOf } from './step-asker.ts';
import { listens, type StepState } from './step-state.ts';

/** Lets listeners judge a finished call, and writes its result. */
export async function commitCall(step: StepState, run: CallRun): Promise<void> {
  const { call } = run;
  if (run.end?.kind !== 'outcome') throw new TypeError('only a call that ended has a result');
  const called: AuthoredEvent = run.called ?? appendCall(step, call);
  const outcome = run.end.final || !run.called ? run.end.outcome : await judge(step, run, run.end.outcome);
  const { content, isError, error, meta, contexts, concludesTurn, events = [] } = outcome;
  const { turn, step: number } = step.input;
  step.writer.append(
    'tool/result',
    {
      turn,
      step: number,
      callId: call.callId,
      content,
      isError,
      ...(error && { error }),
      ...(meta !== undefined && { meta }),
    },
    [called.eid],
  );
  // Nothing recorded before tools had events carries any, so old histories replay as they were.
  // The pair of type and data is right for each event, which a list of any of them cannot say.
  if (!isError) for (const event of events) step.writer.append(event.type, event.data as never);
  step.contexts.push(...(contexts ?? []), ...remindOfRepeats(step, call));
  step.concludesTurn ||= concludesTurn === true;
  if (listens(step, 'tools/result'))
    await askListeners(
      askerOf(step),
      { point: 'tools/result', call, outcome },
      { subject: String(call.index), whenStopped: 'ask' },
    );
}

async function judge(step: StepState, run: CallRun, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (!listens(step, 'tools/post-execute')) return outcome;
  const { call } = run;
  const verdict = await askListeners(
    askerOf(step),
    { point: 'tools/post-execute', call, outcome },
    { subject: String(call.index), whenStopped: 'ask', host: hostOf(step, call.name) },
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

/** Where the body ran: what is spilled after the listeners must lie where the session's tools can read it. */
function hostOf({ assembly }: StepState, tool: string): HostId | undefined {
  return assembly.tools[tool]?.home === 'host' ? assembly.host?.host : undefined;
}

/** A success that a cancel overtook while listeners judged it does not count as one. */
function cancelled(step: StepState, outcome: ToolOutcome): ToolOutcome {
  if (!step.stop.requested || outcome.isError) return outcome;
  return { ...abortedResult('running'), ...(outcome.contexts && { contexts: outcome.contexts }) };
}
