import { assertNever, LlmError } from '../../domain/index.ts';
import type { StreamChunk } from '../../domain/index.ts';
import type { Attempt } from './attempt.ts';
import { notTheProtocol, streamedFailure } from './failures.ts';
import { errorIn, errorOf } from './provider-error.ts';
import type { ProviderError } from './provider-error.ts';
import { SseReader } from './sse.ts';
import type { SseEvent } from './sse.ts';

/** What a frame was to its protocol. */
export type Taken = 'taken' | 'last' | 'foreign' | { error: ProviderError };

/** Translates one answer of one protocol; made anew for each. */
export interface Translator {
  /** What ends an answer, for whoever is told that it never came. */
  readonly lastWord: string;
  /** Whether `[DONE]` is what ends an answer, or says nothing. */
  readonly doneFrame: 'ends' | 'ignored';
  /** The chunks a frame adds; returns what it was. */
  push(body: unknown): Generator<StreamChunk, Taken>;
  /** The chunks that close the answer. */
  end(): Generator<StreamChunk>;
  /** The same for an answer in one piece; absent where no server sends one. */
  whole?(body: unknown): Generator<StreamChunk> | undefined;
}

interface AnswerInput {
  attempt: Attempt;
  response: Response;
  translator: Translator;
  key?: string;
}

/** Translates an answer with status 200, which may still be an error, a page, or a completion in one piece. */
export async function* answerChunks(input: AnswerInput): AsyncGenerator<StreamChunk> {
  const { response, attempt, translator } = input;
  if (!response.body) throw closedEarly(input);
  const reader = new SseReader({ attempt, body: response.body });
  let frames = 0;
  for await (const event of reader.events()) {
    if (event.data === '[DONE]') {
      if (translator.doneFrame === 'ignored') continue;
      yield* translator.end();
      await reader.drain();
      return;
    }
    const taken = yield* translator.push(bodyOf(event, input));
    if (taken === 'last') {
      yield* translator.end();
      await reader.drain();
      return;
    }
    refuse(taken, event, input);
    frames += 1;
  }
  if (frames > 0) throw closedEarly(input);
  yield* inOnePiece(reader.head, input);
}

/** Lines of a stream that say nothing. */
const KEEP_ALIVE = /^(:.*|data:\s*(null)?\s*)$/gm;

function bodyOf(event: SseEvent, input: AnswerInput): unknown {
  const body = parse(event.data);
  // A frame that was cut by the end of the body tells of the cut, not of bad writing.
  if (body === undefined && event.place === 'tail') throw closedEarly(input);
  const error = event.name === 'error' ? errorOf(body ?? event.data) : errorIn(body);
  if (error) throw streamedFailure({ ...input, error, headers: input.response.headers });
  return body;
}

function refuse(taken: Exclude<Taken, 'last'>, event: SseEvent, input: AnswerInput): void {
  const { headers } = input.response;
  if (taken === 'taken') return;
  if (taken === 'foreign') {
    const what = 'the provider sent a frame that is no part of an answer';
    throw notTheProtocol({ ...input, what, body: event.data, headers });
  }
  if (typeof taken === 'object') throw streamedFailure({ ...input, error: taken.error, headers });
  assertNever(taken, 'frame');
}

/** A body without a single event: an error object, a whole completion, or something else altogether. */
function* inOnePiece(text: string, input: AnswerInput): Generator<StreamChunk> {
  const { headers } = input.response;
  if (text.replace(KEEP_ALIVE, '').trim() === '') throw closedEarly(input);
  const body = parse(text);
  const error = errorIn(body);
  if (error) throw streamedFailure({ ...input, error, headers });
  const chunks = input.translator.whole?.(body);
  if (chunks) return yield* chunks;
  const type = headers.get('content-type') ?? 'no content type';
  const what = `the provider answered 200 with ${type} instead of a stream`;
  throw notTheProtocol({ ...input, what, body: text, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function closedEarly({ translator }: AnswerInput): LlmError {
  return new LlmError({
    code: 'STREAM_CLOSED',
    message: `the provider closed the stream before ${translator.lastWord}`,
  });
}
