import {
  assertNever,
  type AssistantProvenance,
  type ContentBlock,
  type LlmFailure,
  type MaybeRef,
  type SeqRange,
  type TokenUsage,
} from '@everturn/core/domain';
import {
  modelClaim,
  modelOutcome,
  type ModelOutcome,
  type RequestedCall,
  type StreamModelInput,
  type StreamModelResult,
} from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { settle, streamModel } from '../proxies.ts';
import { askerOf } from './step-asker.ts';
import { listens, stepRef, type StepState } from './step-state.ts';
import type { NoReturn } from '../shared/stop.ts';

export type ModelAnswer =
  | { kind: 'message'; finish: 'stop' | 'tool-calls' | 'max-tokens'; calls: RequestedCall[] }
  | { kind: 'failure'; failure: LlmFailure }
  | { kind: 'error'; message: string; code?: string };

const ABORTED: LlmFailure = { code: 'ABORTED', message: 'the model call was cancelled' };
const LOST: LlmFailure = {
  code: 'TRANSPORT',
  message: 'the worker that streamed the answer was lost before it could be recorded',
};

/** Makes the step's one attempt at the provider and records what came of it. */
export async function callModel(step: StepState): Promise<ModelAnswer> {
  if (step.stop.requested) {
    await step.writer.flush();
    return { kind: 'failure', failure: ABORTED };
  }
  const hold = listens(step, 'agent/step-result');
  const result = await attempt(step, hold);
  const { outcome } = result;
  switch (outcome.kind) {
    case 'failure':
      if (outcome.usage) step.usage = outcome.usage;
      return { kind: 'failure', failure: outcome.failure };
    case 'aborted':
      return { kind: 'failure', failure: ABORTED };
    case 'success':
      step.preview = outcome.preview;
      if (outcome.usage) step.usage = outcome.usage;
      if (outcome.room !== undefined) step.room = outcome.room;
      return hold ? reviseMessage(step, outcome, result.chunks) : { kind: 'message', ...pick(outcome) };
    default:
      return assertNever(outcome);
  }
}

const pick = ({ finish, calls }: { finish: 'stop' | 'tool-calls' | 'max-tokens'; calls: RequestedCall[] }) => ({
  finish,
  calls,
});

type Attempt = Pick<StreamModelResult, 'outcome' | 'chunks'>;

async function attempt(step: StepState, hold: boolean): Promise<Attempt> {
  const { input, assembly } = step;
  const request: Omit<StreamModelInput, 'commit'> = {
    ...stepRef(input),
    turn: input.turn,
    step: input.step,
    header: assembly.header,
    ...(assembly.offer && { offer: assembly.offer }),
    registry: assembly.registry,
    message: hold ? 'hold' : 'append',
  };
  const result = await step.stop.effect(() =>
    step.writer.carry((commit) => streamModel({ ...request, commit }, `model ${assembly.config.model}`)),
  );
  if (result.kind !== 'returned') return settleAttempt(step, result);
  step.registry = result.value.registry;
  return result.value;
}

/** After a lost attempt: what its claim says, and never a second purchase. */
async function settleAttempt(step: StepState, ended: NoReturn): Promise<Attempt> {
  const claim = modelClaim(step.input.turn, step.input.step);
  const live = step.stop.settling(ended.kind);
  const { settlements } = await step.writer.carry((commit) =>
    settle({ ...stepRef(step.input), claims: [claim], live, commit }),
  );
  const settlement = settlements[claim];
  if (settlement?.state === 'done') return { outcome: modelOutcome(settlement.outcome), chunks: settlement.chunks };
  if (step.stop.requested) return { outcome: { kind: 'aborted' }, chunks: [] };
  if (settlement?.state === 'not-started' && ended.kind === 'failed') throw ended.error;
  return { outcome: { kind: 'failure', failure: LOST }, chunks: [] };
}

/** Lets listeners replace the message before it is written; a listener that throws leaves an empty anchor. */
async function reviseMessage(
  step: StepState,
  outcome: Extract<ModelOutcome, { kind: 'success' }>,
  chunks: SeqRange[],
): Promise<ModelAnswer> {
  const verdict = await askListeners(
    askerOf(step),
    {
      point: 'agent/step-result',
      content: outcome.content,
      provenance: outcome.provenance,
      ...(step.assembly.offer && { offer: step.assembly.offer }),
    },
    { whenStopped: 'ask' },
  );
  if (verdict.kind !== 'decided') {
    appendMessage(step, [], withoutReplay(outcome.provenance), chunks, outcome.usage);
    return { ...(verdict.kind === 'threw' ? verdict : { message: 'stopped' }), kind: 'error' };
  }
  const { content, replaced, calls } = verdict.decision;
  appendMessage(
    step,
    content,
    replaced ? withoutReplay(outcome.provenance) : outcome.provenance,
    chunks,
    outcome.usage,
  );
  return { kind: 'message', finish: outcome.finish, calls };
}

function appendMessage(
  step: StepState,
  content: MaybeRef<ContentBlock[]>,
  provenance: AssistantProvenance,
  chunks: SeqRange[],
  usage: TokenUsage | undefined,
): void {
  const { turn, step: number } = step.input;
  step.writer.append('assistant/message', { turn, step: number, content, provenance, ...(usage && { usage }) }, chunks);
}

function withoutReplay({ provider, model }: AssistantProvenance): AssistantProvenance {
  return { provider, model };
}
