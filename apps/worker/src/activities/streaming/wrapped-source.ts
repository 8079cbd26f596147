import { StreamChunkSchema, type GenerateOptions, type StreamChunk } from '@everturn/core/domain';
import { askAround, type Listener, type ListenerContext } from '../../plugins/index.ts';
import { WrapperTime } from '../effects/wrapper-time.ts';
import type { ModelSource } from './collect-answer.ts';

export interface Wrapping {
  listeners: readonly Listener<'llm/stream'>[];
  context: ListenerContext;
  /** What listeners may take themselves for one call, in ms. */
  limitMs: number;
}

/** A way to a model inside the listeners that wrap it; one that throws, hangs or answers nonsense is a failed call. */
export function wrappedSource(source: ModelSource, { listeners, context, limitMs }: Wrapping): ModelSource {
  if (listeners.length === 0) return source;
  return {
    async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
      const time = new WrapperTime({ point: 'llm/stream', limitMs });
      const signal = AbortSignal.any([context.signal, time.signal]);
      let chunks: AsyncIterator<StreamChunk> | undefined;
      try {
        const asked = askAround<'llm/stream'>({
          listeners,
          input: { options },
          context: { ...context, signal },
          body: (within) => outsideOf(time, source.stream({ ...options, signal: within })),
        });
        chunks = iteratorOf(await time.race(asked));
        for (let next = await time.race(chunks.next()); !next.done; next = await time.race(chunks.next()))
          yield checked(next.value);
      } finally {
        time.end();
        // Not waited for: one that hangs would not hear of it.
        void Promise.resolve(chunks?.return?.()).catch(() => undefined);
      }
    },
  };
}

/** What the provider takes is not the listeners' time. */
async function* outsideOf(time: WrapperTime, chunks: AsyncIterable<StreamChunk>): AsyncGenerator<StreamChunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (
      let next = await time.around(() => iterator.next());
      !next.done;
      next = await time.around(() => iterator.next())
    )
      yield next.value;
  } finally {
    await iterator.return?.();
  }
}

function iteratorOf(chunks: AsyncIterable<StreamChunk> | undefined): AsyncIterator<StreamChunk> {
  if (typeof chunks?.[Symbol.asyncIterator] === 'function') return chunks[Symbol.asyncIterator]();
  throw new TypeError('a listener around the model answered something that is no stream');
}

function checked(chunk: StreamChunk): StreamChunk {
  if (StreamChunkSchema.safeParse(chunk).success) return chunk;
  throw new TypeError('a listener around the model answered something that is no chunk');
}
