import { createParser } from 'eventsource-parser';
import { monotonicMs } from '../measure/clock.ts';
import type { ApiClient } from './api-client.ts';

/** A text delta as a client of the event stream got it. */
export interface ReceivedText {
  readonly text: string;
  /** When its bytes were there, on the monotonic clock. */
  readonly at: number;
}

/** Follows a session's stream in the background, until the signal; resolves once the stream is open. */
export async function followText(
  api: ApiClient,
  session: string,
  signal: AbortSignal,
  onText: (received: ReceivedText) => void,
): Promise<void> {
  const body = await api.openStream(session, signal);
  let at = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const text = event === 'assistant/chunk' ? textOf(data) : undefined;
      if (text !== undefined) onText({ text, at });
    },
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      at = monotonicMs();
      parser.feed(decoder.decode(bytes, { stream: true }));
    }
  };
  void read().catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function textOf(data: string): string | undefined {
  const event = JSON.parse(data) as { data: { chunk: { type: string; text?: string } } };
  return event.data.chunk.type === 'text-delta' ? event.data.chunk.text : undefined;
}
