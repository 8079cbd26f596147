import {
  isDomainError,
  type EpochHeader,
  type GenerateOptions,
  type JsonValue,
  type LlmFailure,
  type Message,
  type SessionEvent,
  type StreamChunk,
} from '@everturn/core/domain';
import {
  modelClaim,
  modelOutcome,
  recorded,
  type ModelOutcome,
  type StreamModelInput,
  type StreamModelResult,
} from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import type { DerivedSession } from './context/derived-sessions.ts';
import type { Performance, PerformInput } from './effects/effect.ts';
import { catchUp } from './context/catch-up.ts';
import { checkRequest } from './context/check-request.ts';
import { roomAfter } from './context/room.ts';
import { callsAmong } from './context/session-view.ts';
import { untilItWorks } from './effects/retry.ts';
import { stopReason } from './effects/running-effect.ts';
import { failingAs } from './failure.ts';
import { withPluginModels } from './context/with-plugin-models.ts';
import { picturesFor } from './images/pictures-for.ts';
import { collectAnswer, type Answer } from './streaming/collect-answer.ts';
import type { ChunkWriter } from './streaming/drain.ts';
import { awaitRouteTurn, countTokens } from './streaming/route-turn.ts';
import { wrappedSource } from './streaming/wrapped-source.ts';
import { messageEvent, restOf, successOutcome } from './streaming/model-outcome.ts';

/** One attempt at the provider: commits, claims, derives the history, streams, records. */
export function streamModelActivity(everything: ActivityDeps) {
  return (input: StreamModelInput): Promise<StreamModelResult> =>
    failingAs(async () => {
      const deps = withPluginModels(everything, input);
      const header = await deps.values.resolve<EpochHeader>(input.tenant, input.header);
      const claim = modelClaim(input.turn, input.step);
      await awaitRouteTurn(deps, { provider: header.config.provider, claim, input });
      const derived = await catchUp(deps, input, input);
      const result = await deps.effects.run<JsonValue>({
        ...input,
        claim,
        label: header.config.model,
        readFrom: derived.readFrom,
        perform: (held) => perform({ deps, input, header, derived, held }),
        afterLapse: () => transportFailure('the worker that was streaming this answer was lost'),
        closed: () => transportFailure('the step settled this model call without an answer'),
      });
      return {
        acks: result.acks,
        outcome: modelOutcome(result.outcome),
        chunks: result.chunks,
        written: result.written,
        registry: deps.registry.version(input),
      };
    });
}

interface CallInput {
  deps: ActivityDeps;
  input: StreamModelInput;
  header: EpochHeader;
  derived: DerivedSession;
  held: PerformInput;
}

async function perform(call: CallInput): Promise<Performance<JsonValue>> {
  const { deps, input, header, held } = call;
  const history = historyOf(call);
  if ('failure' in history) return settled({ kind: 'failure', failure: history.failure });
  if (stopReason(held.signal)) return settled({ kind: 'aborted' });
  const giveUp = new AbortController();
  const signal = AbortSignal.any([held.signal, giveUp.signal]);
  const target = { held: held.held, turn: input.turn, step: input.step };
  const writer = deps.drain.open(target, () => giveUp.abort());
  try {
    const { tenant, session, turn, step } = input;
    const { config, messagePrefix = [] } = header;
    const sent = [...messagePrefix, ...history.messages];
    Object.freeze(sent); // what they hold is frozen already, as the header is
    const attachments = await picturesFor(deps, { tenant, config, messages: sent, signal: held.signal });
    const options = requestOf({ header, messages: sent, input, signal, ...(attachments && { attachments }) });
    const wrong = await untilItWorks({
      attempt: async () => deps.checkRequests && checkRequest(deps, { ref: input, start: history.start, options }),
      giveUp: () => held.signal.aborted,
    });
    if (wrong) return settled(brokenInvariant(call, wrong));
    const wrappers = deps.registry.view(input).listeners('llm/stream');
    const source = wrappedSource(deps.llm, {
      listeners: wrappers,
      context: { initiator: { tenant, session, turn, step }, signal },
      limitMs: deps.listenerTimeoutMs,
    });
    const answer = await collectAnswer({ source, options, onChunk: (chunk) => passOn(chunk, writer) });
    return await record(call, answer, writer);
  } finally {
    writer.close();
  }
}

/** To the log; what it answers is when there is room for more. */
function passOn(chunk: StreamChunk, writer: ChunkWriter): Promise<void> | undefined {
  writer.push(chunk);
  return writer.room();
}

/** The rows before this step's `step/start`, as messages; what the commit itself carried is among them. */
function historyOf({
  deps,
  input,
  derived,
  held,
}: CallInput): { messages: Message[]; start: number } | { failure: LlmFailure } {
  const start = held.rows.find(
    (row): row is SessionEvent & { type: 'step/start' } =>
      row.type === 'step/start' && row.data.turn === input.turn && row.data.step === input.step,
  );
  if (!start) throw new Error(`the log of ${input.session} has no step/start of step ${input.turn}.${input.step}`);
  try {
    const messages = derived.messagesBefore(start.seq, held.rows);
    deps.derived.keep(input, derived);
    return { messages, start: start.seq };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { failure: { code: 'CORRUPT_LOG', message: `the history cannot be derived: ${error.message}` } };
  }
}

/** Nothing is sent that the log does not account for. */
function brokenInvariant({ deps, input }: CallInput, message: string): ModelOutcome {
  deps.log.error({ session: input.session, turn: input.turn, step: input.step }, message);
  return { kind: 'failure', failure: { code: 'INVARIANT', message } };
}

interface RequestInput {
  header: EpochHeader;
  messages: Message[];
  input: StreamModelInput;
  signal: AbortSignal;
  attachments?: GenerateOptions['attachments'];
}

function requestOf({
  header,
  messages,
  input,
  signal,
  attachments,
}: RequestInput): GenerateOptions & { signal: AbortSignal } {
  const { config, system, tools } = header;
  return Object.freeze({
    ...config,
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    messages,
    tenant: input.tenant,
    sessionId: input.session,
    ...(attachments && { attachments }),
    signal,
  });
}

async function record(call: CallInput, answer: Answer, writer: ChunkWriter): Promise<Performance<JsonValue>> {
  const { deps, input, header, held } = call;
  const stream = { target: { held: held.held, turn: input.turn, step: input.step }, drained: await writer.end() };
  const chunks = restOf(stream);
  const { config } = header;
  if (answer.kind !== 'interrupted')
    await countTokens(deps, { provider: config.provider, tenant: input.tenant, usage: answer.usage });
  if (answer.kind !== 'success') return { ...settled(failureOf(answer, held.signal)), chunks };
  const outcome = await untilItWorks({
    attempt: async () =>
      successOutcome({
        answer,
        config,
        ...(await callsAmong(deps, input)),
        values: deps.values,
        tenant: input.tenant,
      }),
    giveUp: () => stopReason(held.signal) === 'lost',
  });
  const room = roomAfter(deps, { header, derived: call.derived, answer });
  const told = room === undefined ? outcome : { ...outcome, room };
  return { ...settled(told), chunks, events: input.message === 'append' ? [messageEvent(stream, outcome)] : [] };
}

function failureOf(answer: Exclude<Answer, { kind: 'success' }>, signal: AbortSignal): ModelOutcome {
  if (answer.kind === 'failure') return answer;
  return stopReason(signal) === 'shutdown'
    ? { kind: 'failure', failure: { code: 'TRANSPORT', message: 'the worker shut down while the model was answering' } }
    : { kind: 'aborted' };
}

const settled = (outcome: ModelOutcome) => ({ kind: 'settled' as const, outcome: recorded(outcome) });

const transportFailure = (message: string): JsonValue => ({
  kind: 'failure',
  failure: { code: 'TRANSPORT', message },
});
