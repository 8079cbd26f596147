import {
  isDomainError,
  type EpochHeader,
  type GenerateOptions,
  type JsonValue,
  type LlmFailure,
  type Message,
  type SessionEvent,
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
import { namedView } from './context/session-view.ts';
import { untilItWorks } from './effects/retry.ts';
import { stopReason } from './effects/running-effect.ts';
import { failingAs } from './failure.ts';
import { collectAnswer, type Answer } from './streaming/collect-answer.ts';
import type { ChunkWriter } from './streaming/drain.ts';
import { wrappedSource } from './streaming/wrapped-source.ts';
import { messageEvent, restOf, successOutcome } from './streaming/model-outcome.ts';

/** One attempt at the provider: commits, claims, derives the history, streams, records. */
export function streamModelActivity(deps: ActivityDeps) {
  return (input: StreamModelInput): Promise<StreamModelResult> =>
    failingAs(async () => {
      const derived = deps.derived.open(input);
      const header = await deps.values.resolve<EpochHeader>(input.tenant, input.header);
      const result = await deps.effects.run<JsonValue>({
        ...input,
        claim: modelClaim(input.turn, input.step),
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
  const messages = historyOf(call);
  if ('failure' in messages) return settled({ kind: 'failure', failure: messages.failure });
  if (stopReason(held.signal)) return settled({ kind: 'aborted' });
  const giveUp = new AbortController();
  const signal = AbortSignal.any([held.signal, giveUp.signal]);
  const target = { held: held.held, turn: input.turn, step: input.step };
  const writer = deps.drain.open(target, () => giveUp.abort());
  try {
    const attachments = await picturesOf(call, messages);
    const options = requestOf({ header, messages, input, signal, ...(attachments && { attachments }) });
    const { tenant, session, turn, step } = input;
    const wrappers = deps.registry.view(input).listeners('llm/stream');
    const source = wrappedSource(deps.llm, wrappers, { initiator: { tenant, session, turn, step }, signal });
    const answer = await collectAnswer({ source, options, onChunk: (chunk) => writer.push(chunk) });
    return await record(call, answer, writer);
  } finally {
    writer.close();
  }
}

/** The rows before this step's `step/start`, as messages; what the commit itself carried is among them. */
function historyOf({ deps, input, derived, held }: CallInput): Message[] | { failure: LlmFailure } {
  const start = held.rows.find(
    (row): row is SessionEvent & { type: 'step/start' } =>
      row.type === 'step/start' && row.data.turn === input.turn && row.data.step === input.step,
  );
  if (!start) throw new Error(`the log of ${input.session} has no step/start of step ${input.turn}.${input.step}`);
  try {
    const messages = derived.messagesBefore(start.seq, held.rows);
    deps.derived.keep(input, derived);
    return messages;
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { failure: { code: 'CORRUPT_LOG', message: `the history cannot be derived: ${error.message}` } };
  }
}

/** The pictures of the history, where the model takes any. */
async function picturesOf(
  { deps, header, input, held }: CallInput,
  messages: Message[],
): Promise<Pictures | undefined> {
  const { llm, pictures } = deps;
  const { provider, model, messagePrefix } = { ...header.config, ...header };
  const known = llm.providers().some(({ id }) => id === provider);
  if (!known || !llm.takesImages({ provider, model })) return undefined;
  const attempt = () => pictures.of(input.tenant, [...(messagePrefix ?? []), ...messages]);
  const shown = await untilItWorks({ attempt, giveUp: () => held.signal.aborted });
  return shown.size > 0 ? shown : undefined;
}

type Pictures = NonNullable<GenerateOptions['attachments']>;

interface RequestInput {
  header: EpochHeader;
  messages: Message[];
  input: StreamModelInput;
  signal: AbortSignal;
  attachments?: Pictures;
}

function requestOf({
  header,
  messages,
  input,
  signal,
  attachments,
}: RequestInput): GenerateOptions & { signal: AbortSignal } {
  const { config, system, tools, messagePrefix = [] } = header;
  return Object.freeze({
    ...config,
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    messages: [...messagePrefix, ...messages],
    sessionId: input.session,
    ...(attachments && { attachments }),
    signal,
  });
}

async function record(call: CallInput, answer: Answer, writer: ChunkWriter): Promise<Performance<JsonValue>> {
  const { deps, input, header, held } = call;
  const stream = { target: { held: held.held, turn: input.turn, step: input.step }, drained: await writer.end() };
  const chunks = restOf(stream);
  if (answer.kind !== 'success') return { ...settled(failureOf(answer, held.signal)), chunks };
  const { config } = header;
  const outcome = await untilItWorks({
    attempt: async () =>
      successOutcome({
        answer,
        config,
        view: await namedView(deps, input),
        values: deps.values,
        tenant: input.tenant,
      }),
    giveUp: () => stopReason(held.signal) === 'lost',
  });
  return { ...settled(outcome), chunks, events: input.message === 'append' ? [messageEvent(stream, outcome)] : [] };
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
