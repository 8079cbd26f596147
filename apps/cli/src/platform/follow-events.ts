import { setTimeout as pause } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isOutage, type ApiClient } from './api-client.ts';

/** One frame of a followed log. */
export interface Frame {
  /** The event's seq; absent for what is told but not stored. */
  id?: string;
  event: string;
  data: string;
}

/** What a follower yields: frames, and a notice each time the stream broke off and is opened again. */
export type Followed = { kind: 'frame'; frame: Frame } | { kind: 'reconnecting' };

export interface FollowInput {
  api: ApiClient;
  /** Such as `/v1/sessions/s/events`. */
  path: string;
  query?: Record<string, string | undefined>;
  /** The last event that is known already. */
  lastEventId?: string | undefined;
  signal?: AbortSignal;
  /** A stream that says nothing for this long, not even a heartbeat, is opened again; in ms. */
  silenceMs?: number;
  /** The first pause before opening again, in ms; it doubles up to 5 s. */
  pauseMs?: number;
}

const LONGEST_PAUSE_MS = 5_000;

/**
 * Follows a log and goes on where it broke off, for as long as it takes: no frame with an id is missed or repeated.
 * Ends when the signal is raised; throws only refusals that asking again cannot mend.
 */
export async function* followEvents(input: FollowInput): AsyncGenerator<Followed, void, void> {
  const firstPauseMs = input.pauseMs ?? 200;
  let lastEventId = input.lastEventId;
  let pauseMs = firstPauseMs;
  while (!input.signal?.aborted) {
    try {
      for await (const frame of readOnce(input, lastEventId)) {
        pauseMs = firstPauseMs;
        lastEventId = frame.id ?? lastEventId;
        yield { kind: 'frame', frame };
      }
    } catch (error) {
      if (input.signal?.aborted) return;
      if (!isBroken(error)) throw error;
    }
    if (input.signal?.aborted) return;
    yield { kind: 'reconnecting' };
    await pause(pauseMs, undefined, input.signal && { signal: input.signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

async function* readOnce(input: FollowInput, lastEventId: string | undefined): AsyncGenerator<Frame, void, void> {
  const silence = new AbortController();
  const signal = input.signal ? AbortSignal.any([silence.signal, input.signal]) : silence.signal;
  const overdue = setTimeout(() => silence.abort(new Silence()), input.silenceMs ?? 20_000);
  try {
    const { api, path, query } = input;
    const response = await api.open({
      path,
      accept: 'text/event-stream',
      signal,
      ...(query && { query }),
      ...(lastEventId !== undefined && { lastEventId }),
    });
    let arrived: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => arrived.push(message) });
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      overdue.refresh();
      parser.feed(decoder.decode(piece, { stream: true }));
      const frames = arrived;
      arrived = [];
      for (const { id, event = 'message', data } of frames) yield { ...(id !== undefined && { id }), event, data };
    }
  } finally {
    clearTimeout(overdue);
    silence.abort();
  }
}

/** A stream that went quiet: the way to the API is gone although nobody closed it. */
class Silence extends Error {}

/** Broken connections come as TypeErrors of the platform ("terminated"), or as our own silence. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError || error instanceof Silence || isOutage(error);
}
