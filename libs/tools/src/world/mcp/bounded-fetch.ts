import { tooLong } from './message-reader.ts';

export interface BoundedFetchInput {
  /** What an answer may have, or an event where the answer is a stream of them. */
  maxBytes: number;
  /** An event was longer: whoever waits for it would not be told. */
  onEventTooLong(): void;
}

/** Fetches, but reads no further than an answer may go: its body fails there. */
export function boundedFetch({ maxBytes, onEventTooLong }: BoundedFetchInput): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    const sizeWith = isStream ? eventSize() : totalSize();
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (sizeWith(chunk) <= maxBytes) return controller.enqueue(chunk);
        if (isStream) onEventTooLong();
        controller.error(new Error(tooLong(maxBytes)));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(bound), { status, statusText, headers });
  };
}

/** Bytes so far, after each chunk. */
function totalSize(): (chunk: Uint8Array) => number {
  let size = 0;
  return (chunk) => (size += chunk.length);
}

/** Events end with an empty line, however lines end. */
const EVENT_ENDS = ['\n\n', '\n\r\n', '\r\r'];

/** Bytes since the last event ended, after each chunk. */
function eventSize(): (chunk: Uint8Array) => number {
  let size = 0;
  let last = ''; // an end may lie across chunks
  return (chunk) => {
    const text = last + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    const end = Math.max(...EVENT_ENDS.map((mark) => endOfLast(text, mark)));
    size = end === -1 ? size + chunk.length : text.length - end;
    last = text.slice(-2);
    return size;
  };
}

function endOfLast(text: string, mark: string): number {
  const at = text.lastIndexOf(mark);
  return at === -1 ? -1 : at + mark.length;
}
