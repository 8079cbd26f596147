import type { AuthoredEvent } from '@everturn/core/domain';
import { isApprovedPlan } from '@everturn/tools/kit';
import { remindOfRepeats } from './remind-of-repeats.ts';
import type { CallRun } from './call-run.ts';
import { announceResult, judgeCall } from './judge-call.ts';
import { appendCall } from './start-calls.ts';
import type { StepState } from './step-state.ts';

/** Lets listeners judge a finished call, and writes its result. */
export async function commitCall(step: StepState, run: CallRun): Promise<void> {
  const { call } = run;
  if (run.end?.kind !== 'outcome') throw new TypeError('only a call that ended has a result');
  const called: AuthoredEvent = run.called ?? appendCall(step, call);
  const outcome = run.end.final || !run.called ? run.end.outcome : await judgeCall(step, run, run.end.outcome);
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
  if (step.assembly.plan && isApprovedPlan(call.name, { isError, meta })) step.plan = 'approved';
  await announceResult(step, run, outcome);
}
