import { patched } from '@temporalio/workflow';
import { assertNever, COMPACTION_SOURCE, summaryMessage, type LlmFailure, type Shadow } from '@everturn/core/domain';
import {
  summaryClaim,
  type CompactionTrigger,
  type ResultCopy,
  type SummarizeResult,
  type SummaryOutcome,
} from '../../contract/index.ts';
import { planCompaction, settle, summarize } from '../proxies.ts';
import type { NoReturn } from '../shared/stop.ts';
import { addUsage } from './absorb-step.ts';
import { describeTurn } from './turn-details.ts';
import type { TurnState } from './turn-state.ts';

/** After so many attempts in a row that did not help, a turn makes no more before its next request is refused. */
const MOST_VAIN = 2;

/** After a step: shortens a history that fills its model's window. What goes wrong with it never ends the turn. */
export async function compactUnderPressure(turn: TurnState): Promise<void> {
  const { room, writer } = turn;
  // Only steps of workers that count bring a number, so that earlier histories never come here.
  if (!room || turn.stop.requested || room.tokens > writer.tokens - room.written) return;
  if (turn.vainCompactions >= MOST_VAIN && patched('compaction-gives-up')) return;
  await compactHistory(turn, 'pressure');
}

/** After a request that did not fit: whether the history is shorter now, so that it may be tried again. */
export async function compactAfterOverflow(turn: TurnState, failure: LlmFailure): Promise<boolean> {
  if (failure.code !== 'CONTEXT_WINDOW_EXCEEDED' || !patched('compaction-after-overflow')) return false;
  return (await compactHistory(turn, 'overflow')) === 'shorter' && !turn.stop.requested;
}

/** Shortens long results, then sums up the beginning, as long as plans say so. A failed attempt is not repeated. */
export async function compactHistory(turn: TurnState, trigger: CompactionTrigger): Promise<'shorter' | 'as-it-was'> {
  let effect: 'shorter' | 'as-it-was' = 'as-it-was';
  for (let summaries = 0; !turn.stop.requested;) {
    const plan = await planOf(turn, { trigger, summaries });
    switch (plan.kind) {
      case 'enough':
        turn.vainCompactions = plan.vain ? turn.vainCompactions + 1 : 0;
        return effect;
      case 'prune':
        for (const copy of plan.copies) writeCopy(turn, copy);
        break;
      case 'sum-up':
        if ((await sumUp(turn, { span: plan.span, n: summaries })) === 'failed') {
          turn.vainCompactions += 1;
          return effect;
        }
        summaries += 1;
        break;
      default:
        return assertNever(plan);
    }
    effect = 'shorter';
  }
  return effect;
}

async function planOf(turn: TurnState, about: { trigger: CompactionTrigger; summaries: number }) {
  const { assembly, priorFailures } = turn;
  if (!assembly) throw new TypeError('a history is shortened for an assembly');
  const { turn: openTurn, step } = turn.writer.log.open;
  const { plan, tooBig } = await turn.writer.carry((commit) =>
    planCompaction({
      ...turn.ref,
      ...about,
      header: assembly.header,
      priorOverflows: priorFailures.filter(({ code }) => code === 'CONTEXT_WINDOW_EXCEEDED').length,
      ...(openTurn !== undefined && step !== undefined && { open: { turn: openTurn, step } }),
      commit,
    }),
  );
  if (tooBig !== undefined) turn.tooBig = tooBig;
  return plan;
}

function writeCopy({ writer }: TurnState, { seq, tokens, data }: ResultCopy): void {
  const range = { start: seq, end: seq };
  writer.append('compact/prune', { shadowedRange: range, shadowedSeqs: [seq], shadowedTokenCount: tokens });
  writer.replace('tool/result', data, { ...range, sources: [{ from: seq, to: seq }] });
}

/** Puts a summary in place of a span, inside a bracket that says what came of it. */
async function sumUp(turn: TurnState, { span, n }: { span: Shadow; n: number }): Promise<'done' | 'failed'> {
  const { writer } = turn;
  const number = turn.input.turn;
  const start = writer.append('compact/start', { turn: number });
  describeTurn(turn, 'sums up what came before');
  const outcome = await attempt(turn, { span, n });
  if ('usage' in outcome) turn.usage = addUsage(turn.usage, outcome.usage);
  writer.change({ usage: turn.usage });
  if (outcome.kind !== 'summary') {
    const error = outcome.kind === 'failure' ? `${outcome.failure.code}: ${outcome.failure.message}` : 'cancelled';
    writer.append('compact/end', { turn: number, error });
    return 'failed';
  }
  const { summary, provider, model, maxTokens } = outcome;
  const written = writer.append('compact/summary', { ...span, summary, provider, model, maxTokens });
  const shadowed = span.shadowedSeqs.map((seq) => ({ from: seq, to: seq }));
  writer.replace(
    'user/message',
    { content: summaryMessage(summary), source: COMPACTION_SOURCE },
    { ...span.shadowedRange, sources: [start.eid, written.eid, ...shadowed] },
  );
  writer.append('compact/end', { turn: number });
  // It may have been part of what is gone; the first list is in the prefix, which stays.
  const { told } = turn.instance.skills ?? {};
  if (told) writer.append('context/message', told);
  return 'done';
}

async function attempt(turn: TurnState, { span, n }: { span: Shadow; n: number }): Promise<SummaryOutcome> {
  const { assembly, step, ref, writer } = turn;
  if (!assembly) throw new TypeError('a summary is asked for under an assembly');
  const claim = summaryClaim(turn.input.turn, step, n);
  const { start, end } = span.shadowedRange;
  const result = await turn.stop.effect<SummarizeResult>(() =>
    writer.carry((commit) =>
      summarize({
        ...ref,
        turn: turn.input.turn,
        step,
        claim,
        header: assembly.header,
        span: { start, end, nodes: span.shadowedSeqs.length, tokens: span.shadowedTokenCount },
        commit,
      }),
    ),
  );
  return result.kind === 'returned' ? result.value.outcome : lost(turn, claim, result);
}

/** Of an attempt that did not come back nothing is used; its claim is closed, so that it cannot go on unseen. */
async function lost(turn: TurnState, claim: string, ended: NoReturn): Promise<SummaryOutcome> {
  const live = turn.stop.settling(ended.kind);
  await turn.writer.carry((commit) => settle({ ...turn.ref, claims: [claim], live, commit }));
  if (turn.stop.requested) return { kind: 'aborted' };
  if (ended.kind === 'failed') throw ended.error;
  return { kind: 'failure', failure: { code: 'TRANSPORT', message: 'the summary was lost' } };
}
