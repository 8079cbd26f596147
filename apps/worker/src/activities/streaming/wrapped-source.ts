import type { GenerateOptions, StreamChunk } from '@everturn/core/domain';
import { askAround, type Listener, type ListenerContext } from '../../plugins/index.ts';
import type { ModelSource } from './collect-answer.ts';

/** A way to a model inside the listeners that wrap it; one that throws is a failed call. */
export function wrappedSource(
  source: ModelSource,
  listeners: readonly Listener<'llm/stream'>[],
  context: ListenerContext,
): ModelSource {
  if (listeners.length === 0) return source;
  return {
    async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
      yield* await askAround<'llm/stream'>({
        listeners,
        input: { options },
        context,
        body: (signal) => source.stream({ ...options, signal }),
      });
    },
  };
}
