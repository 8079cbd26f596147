import {
  eventId,
  INLINE_ARGUMENTS_BYTES,
  isBlobRef,
  REF_MEMBERS,
  type AuthoredEvent,
  type ContentBlock,
  type JsonValue,
  type LlmCallConfig,
  type TenantId,
} from '@everturn/core/domain';
import { characterHead } from '@everturn/tools/kit';
import type { AnnouncedEvent, ModelOutcome, RequestedCall } from '../../contract/index.ts';
import type { Values } from '../context/values.ts';
import { chunkEvents, type ChunkPart } from '../../projection/index.ts';
import { classifyCalls, type CallsAmong, type ClassifiedCall } from './classify-calls.ts';
import type { Answer } from './collect-answer.ts';
import type { DrainedStream } from './drain.ts';

export type SuccessAnswer = Extract<Answer, { kind: 'success' }>;

export interface OutcomeInput extends CallsAmong {
  answer: SuccessAnswer;
  config: LlmCallConfig;
  values: Values;
  tenant: TenantId;
}

/** What a successful call tells the step: content and calls, each by reference where it is large. */
export async function successOutcome(input: OutcomeInput): Promise<Extract<ModelOutcome, { kind: 'success' }>> {
  const { answer, config, values, tenant } = input;
  const calls = answer.finish === 'max-tokens' ? [] : classifyCalls(answer.content, input);
  return {
    kind: 'success',
    finish: answer.finish,
    content: await values.travel(tenant, answer.content),
    provenance: {
      provider: config.provider,
      model: config.model,
      ...(answer.replayState !== undefined && { replayState: answer.replayState }),
    },
    ...(answer.usage && { usage: answer.usage }),
    calls: await travellingCalls(calls, { values, tenant }),
    preview: previewOf(answer.content),
  };
}

/** The calls of a message a listener replaced, classified anew. */
export async function reclassify(
  input: Omit<OutcomeInput, 'answer' | 'config'> & { content: ContentBlock[] },
): Promise<RequestedCall[]> {
  return travellingCalls(classifyCalls(input.content, input), input);
}

/** Below this a reference would not be shorter. */
const SHORT_BYTES = 256;

/** The calls of one message as they travel: a batch of many middling arguments is as heavy as a few large ones. */
export async function travellingCalls(
  calls: readonly ClassifiedCall[],
  { values, tenant }: Pick<OutcomeInput, 'values' | 'tenant'>,
): Promise<RequestedCall[]> {
  const travelled: RequestedCall[] = [];
  let inline = 0;
  for (const call of calls) {
    const bytes = Buffer.byteLength(call.arguments);
    const fits = bytes <= SHORT_BYTES || inline + bytes <= INLINE_ARGUMENTS_BYTES;
    const given = fits ? await values.travel(tenant, call.arguments) : await values.store(tenant, call.arguments);
    if (!isBlobRef(given)) inline += bytes;
    const told = isBlobRef(given) && call.announced ? { announced: await byReference(call.announced) } : {};
    travelled.push({ ...call, arguments: given, ...told });
  }
  return travelled;

  /** What a call announces holds its arguments. */
  async function byReference(events: readonly AnnouncedEvent[]): Promise<AnnouncedEvent[]> {
    return Promise.all(
      events.map(async (event) => {
        const members = Object.entries(event.data).map(async ([name, value]) =>
          (REF_MEMBERS as readonly string[]).includes(name)
            ? [name, await values.store(tenant, value as JsonValue)]
            : [name, value],
        );
        return { ...event, data: Object.fromEntries(await Promise.all(members)) } as AnnouncedEvent;
      }),
    );
  }
}

export interface RecordedStream {
  target: ChunkPart['target'];
  drained: DrainedStream;
}

/** The chunks that are no rows yet, as events. */
export function restOf({ target, drained }: RecordedStream): AuthoredEvent[] {
  return chunkEvents({ target, first: drained.first, chunks: drained.rest }, Date.now());
}

/** The answer as an event; its sources are exactly the call's chunks, in order. */
export function messageEvent(
  { target, drained }: RecordedStream,
  { content, provenance, usage }: Extract<ModelOutcome, { kind: 'success' }>,
): AuthoredEvent {
  const { held, turn, step } = target;
  const unnumbered = restOf({ target, drained }).map(({ eid }) => eid);
  return {
    eid: eventId(`t${turn}.s${step}.model`, held.generation, 0),
    type: 'assistant/message',
    time: Date.now(),
    data: { turn, step, content, provenance, ...(usage && { usage }) },
    surfaceOp: 'append',
    sources: [...drained.ranges, ...unnumbered],
  };
}

const PREVIEW_CHARACTERS = 120;

/** The first words of an answer as one line without control characters, for the UI; names its calls when it says nothing. */
export function previewOf(content: readonly ContentBlock[]): string {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
  const called = content.flatMap((block) => (block.type === 'tool-call' ? [block.name] : [])).join(', ');
  const line = (said.trim() || called).replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > PREVIEW_CHARACTERS ? `${characterHead(line, PREVIEW_CHARACTERS - 1)}…` : line;
}
