import type { StreamChunk } from './chunks.ts';

const KIND_OF_DELTA = { 'text-delta': 'text', 'reasoning-delta': 'reasoning', 'tool-call-delta': 'tool-call' } as const;

/** What an adapter owes its reader; a stream that breaks it is the adapter's fault, not the model's. */
export class ChunkGrammar {
  readonly #open = new Map<number, string>();
  readonly #closed = new Set<number>();
  #usage = false;
  #finished = false;

  /** What is wrong with the next chunk, as text naming its index; follows it either way. */
  push(chunk: StreamChunk): string | undefined {
    if (this.#finished) return `${chunk.type} after finish`;
    switch (chunk.type) {
      case 'usage': {
        const repeated = this.#usage;
        this.#usage = true;
        return repeated ? 'a second usage' : undefined;
      }
      case 'finish':
        this.#finished = true;
        return this.#open.size === 0 ? undefined : `finish while block ${[...this.#open.keys()].join(', ')} is open`;
      default:
        return this.#pushBlock(chunk);
    }
  }

  /** What is missing at the end of the stream. */
  end(): string | undefined {
    return this.#finished ? undefined : 'the stream ended without finish';
  }

  #pushBlock(chunk: Exclude<StreamChunk, { type: 'usage' | 'finish' }>): string | undefined {
    const { index } = chunk;
    if (!Number.isSafeInteger(index) || index < 0) return `index ${index} is not a safe integer from 0`;
    const open = this.#open.get(index);
    if (chunk.type === 'block-start') {
      if (open !== undefined || this.#closed.has(index)) return `a second block-start for index ${index}`;
      this.#open.set(index, chunk.blockType);
      return undefined;
    }
    if (open === undefined) return `${chunk.type} for index ${index}, which is not open`;
    const kind = chunk.type === 'block-end' ? chunk.block.type : KIND_OF_DELTA[chunk.type];
    if (chunk.type === 'block-end') {
      this.#open.delete(index);
      this.#closed.add(index);
    }
    return kind === open ? undefined : `${chunk.type} of kind ${kind} for index ${index}, which is a ${open} block`;
  }
}

/** Every breach of the grammar in a whole stream, in order. */
export function checkChunks(chunks: readonly StreamChunk[]): string[] {
  const grammar = new ChunkGrammar();
  const breaches = chunks.map((chunk) => grammar.push(chunk));
  return [...breaches, grammar.end()].filter((breach) => breach !== undefined);
}
