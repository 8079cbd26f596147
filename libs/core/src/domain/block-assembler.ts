import type { FinishReason, StreamChunk, TokenUsage } from './chunks.ts';
import type { ContentBlock } from './content.ts';
import { DomainError } from './errors.ts';
import type { CallId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Message } from './messages.ts';
import { pruneReplayState } from './replay-envelope.ts';

interface OpenBlock {
  blockType: string;
  text: string;
  id: string;
  name: string;
  /** What the adapter says the block is; nothing changes it afterwards. */
  final?: ContentBlock;
}

/** Builds a message from a stream, tolerating every breach of the chunk grammar an adapter may commit. */
export class BlockAssembler {
  readonly #blocks = new Map<number, OpenBlock>();
  #usage: TokenUsage | undefined;
  #finish: { reason: FinishReason; replayState?: JsonValue } | undefined;

  /** Takes the next chunk. */
  push(chunk: StreamChunk): void {
    switch (chunk.type) {
      case 'block-start':
        this.#open(chunk.index, chunk.blockType);
        break;
      case 'text-delta':
        this.#grow(chunk.index, 'text', chunk.text);
        break;
      case 'reasoning-delta':
        this.#grow(chunk.index, 'reasoning', chunk.text);
        break;
      case 'tool-call-delta':
        this.#growCall(chunk);
        break;
      case 'block-end':
        this.#open(chunk.index, chunk.block.type).final ??= chunk.block;
        break;
      case 'usage':
        this.#usage = chunk.usage;
        break;
      case 'finish':
        this.#finish = chunk;
        break;
    }
  }

  /** Why the model stopped; `stop` while no finish was seen. */
  get finish(): FinishReason {
    return this.#finish?.reason ?? { kind: 'stop' };
  }

  /** Whether the stream said that it ended. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** The last usage reported. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  /** What the adapter wants back with this message, cut to the blocks that are kept. */
  get replayState(): JsonValue | undefined {
    const state = this.#finish?.replayState;
    if (state === undefined || this.finish.kind !== 'max-tokens') return state;
    return pruneReplayState(state, this.#all().map(isKeptAtLimit));
  }

  /** The blocks in order of first appearance; an answer cut off at the token limit keeps no tool call. */
  blocks(): ContentBlock[] {
    const all = this.#all();
    return this.finish.kind === 'max-tokens' ? all.filter(isKeptAtLimit) : all;
  }

  /** The answer as a message, without provenance. Throws `DOMAIN_INVALID_BLOCK` for an open block of unknown type. */
  message(): Message {
    return { role: 'assistant', content: this.blocks() };
  }

  #all(): ContentBlock[] {
    return [...this.#blocks].map(([index, partial]) => partial.final ?? close(index, partial));
  }

  #open(index: number, blockType: string): OpenBlock {
    const known = this.#blocks.get(index);
    if (known) return known;
    const opened: OpenBlock = { blockType, text: '', id: '', name: '' };
    this.#blocks.set(index, opened);
    return opened;
  }

  #grow(index: number, blockType: string, delta: string): void {
    const block = this.#open(index, blockType);
    if (!block.final) block.text += delta;
  }

  #growCall({ index, id, name, argumentsDelta }: StreamChunk & { type: 'tool-call-delta' }): void {
    const block = this.#open(index, 'tool-call');
    if (block.final) return;
    // Some providers repeat a call's later pieces with empty names; those must not erase the real ones.
    if (id) block.id = id;
    if (name) block.name = name;
    block.text += argumentsDelta;
  }
}

function isKeptAtLimit(block: ContentBlock): boolean {
  return block.type !== 'tool-call';
}

function close(index: number, { blockType, text, id, name }: OpenBlock): ContentBlock {
  switch (blockType) {
    case 'text':
    case 'reasoning':
      return { type: blockType, text };
    case 'tool-call':
      return { type: 'tool-call', id: (id || `call-${index}`) as CallId, name, arguments: text };
    default:
      throw new DomainError(
        'DOMAIN_INVALID_BLOCK',
        `block ${index} has the unknown type "${blockType}" and was not ended`,
      );
  }
}
