import type { StreamChunk } from '@everturn/core/domain';
import type { DrainStream } from './drain-stream.ts';

/** Chunks of one stream waiting for a commit, oldest first. */
export interface WaitingChunks {
  stream: DrainStream;
  /** Place of the first of them among all chunks of the stream; makes a repeated commit harmless. */
  first: number;
  chunks: StreamChunk[];
}

/** Takes at most `maxRows` waiting chunks, fairly: the same share of every stream that has any. */
export function takeBatch(streams: Iterable<DrainStream>, maxRows: number): WaitingChunks[] {
  const ready = [...streams].filter(({ phase, waiting }) => phase === 'open' && waiting.length > 0);
  const share = Math.max(1, Math.floor(maxRows / Math.max(1, ready.length)));
  return ready.slice(0, maxRows).map((stream) => ({
    stream,
    first: stream.committed,
    chunks: stream.waiting.slice(0, share),
  }));
}
