import { assertNever, LlmError } from '../domain/index.ts';
import type { StreamChunk, StreamedBlockType } from '../domain/index.ts';

/** Passes chunks on and throws `MALFORMED_RESPONSE` at the first that breaks the order adapters promise. */
export async function* checkGrammar(chunks: AsyncIterable<StreamChunk>): AsyncGenerator<StreamChunk> {
  const open = new Map<number, StreamedBlockType>();
  let usage: 'none' | 'seen' = 'none';
  let state: 'streaming' | 'finished' = 'streaming';
  for await (const chunk of chunks) {
    if (state === 'finished') throw broken(`${chunk.type} after finish`);
    switch (chunk.type) {
      case 'block-start':
        if (!Number.isSafeInteger(chunk.index) || chunk.index < 0) throw broken(`block index ${chunk.index}`);
        if (open.has(chunk.index)) throw broken(`block ${chunk.index} started twice`);
        open.set(chunk.index, chunk.blockType);
        break;
      case 'text-delta':
        expectOpen(open, chunk.index, 'text');
        break;
      case 'reasoning-delta':
        expectOpen(open, chunk.index, 'reasoning');
        break;
      case 'tool-call-delta':
        expectOpen(open, chunk.index, 'tool-call');
        break;
      case 'block-end':
        expectOpen(open, chunk.index, chunk.block.type);
        open.delete(chunk.index);
        break;
      case 'usage':
        if (usage === 'seen') throw broken('usage given twice');
        usage = 'seen';
        break;
      case 'finish':
        if (open.size > 0) throw broken(`finish with open blocks ${[...open.keys()].join(', ')}`);
        state = 'finished';
        break;
      default:
        assertNever(chunk, 'chunk');
    }
    yield chunk;
  }
  if (state === 'streaming') throw broken('the stream ended without finish');
}

function expectOpen(open: Map<number, StreamedBlockType>, index: number, type: string): void {
  const actual = open.get(index);
  if (actual !== type) throw broken(`${type} for block ${index}, which is ${actual ?? 'not open'}`);
}

function broken(what: string): LlmError {
  return new LlmError({ code: 'MALFORMED_RESPONSE', message: `the model adapter broke the chunk order: ${what}` });
}
