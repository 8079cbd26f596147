import { LlmError } from '../../domain/index.ts';
import type { StreamChunk } from '../../domain/index.ts';
import type { Attempt } from './attempt.ts';
import { notTheProtocol, streamedFailure } from './failures.ts';
import { FromWire } from './from-wire.ts';
import { errorIn, errorOf } from './provider-error.ts';
import { SseReader } from './sse.ts';
import type { SseEvent } from './sse.ts';
import { WireFrame } from './wire-frame.ts';

interface AnswerInput {
  attempt: Attempt;
  response: Response;
  contextWindow?: number;
  key?: string;
}

/** Translates an answer with status 200, which may still be an error, a page, or a completion in one piece. */
export async function* answerChunks(input: AnswerInput): AsyncGenerator<StreamChunk> {
  const { response, attempt } = input;
  if (!response.body) throw closedEarly();
  const reader = new SseReader({ attempt, body: response.body });
  const answer = new FromWire(input);
  let frames = 0;
  for await (const event of reader.events()) {
    if (event.data === '[DONE]') {
      yield* answer.end();
      await reader.drain();
      return;
    }
    yield* answer.push(frameOf(event, input));
    frames += 1;
  }
  if (frames > 0) throw closedEarly();
  const completion = wholeCompletion(reader.head, input);
  yield* answer.push(completion);
  yield* answer.end();
}

/** Lines of a stream that say nothing. */
const KEEP_ALIVE = /^(:.*|data:\s*(null)?\s*)$/gm;

function frameOf(event: SseEvent, input: AnswerInput): WireFrame {
  const body = parse(event.data);
  // A frame that was cut by the end of the body tells of the cut, not of bad writing.
  if (body === undefined && event.place === 'tail') throw closedEarly();
  const error = event.name === 'error' && body !== undefined ? errorOf(body) : errorIn(body);
  if (error) throw streamedFailure({ ...input, error, headers: input.response.headers });
  const frame = WireFrame.safeParse(body);
  if (frame.success) return frame.data;
  throw notTheProtocol({
    ...input,
    what: 'the provider sent a frame that is no part of an answer',
    body: event.data,
    headers: input.response.headers,
  });
}

/** A body without a single event: an error object, a whole completion, or something else altogether. */
function wholeCompletion(text: string, input: AnswerInput): WireFrame {
  const { headers } = input.response;
  if (text.replace(KEEP_ALIVE, '').trim() === '') throw closedEarly();
  const body = parse(text);
  const error = errorIn(body);
  if (error) throw streamedFailure({ ...input, error, headers });
  const frame = WireFrame.safeParse(body);
  if (frame.success && frame.data.choices?.length) return frame.data;
  const type = headers.get('content-type') ?? 'no content type';
  throw notTheProtocol({
    ...input,
    what: `the provider answered 200 with ${type} instead of a stream`,
    body: text,
    headers,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function closedEarly(): LlmError {
  return new LlmError({ code: 'STREAM_CLOSED', message: 'the provider closed the stream before [DONE]' });
}
