import { assertNever } from '../../domain/index.ts';
import type { CallId, ContentBlock, StreamChunk, StreamedBlockType } from '../../domain/index.ts';
import { WholeCharacters } from './whole-characters.ts';

/** A block while it arrives; `extra` is what its protocol has to remember of it. */
export interface OpenBlock<Extra> {
  readonly index: number;
  readonly type: StreamedBlockType;
  readonly extra: Extra;
  id: string;
  name: string;
  text: string;
  state: 'open' | 'closed';
  readonly characters: WholeCharacters;
}

/** The blocks of an answer whose events name them, in the order they began. */
export class OpenBlocks<Extra> {
  readonly #blocks: OpenBlock<Extra>[] = [];

  get all(): readonly OpenBlock<Extra>[] {
    return this.#blocks;
  }

  /** Begins a block; a call is told with its name at once. */
  *open(
    type: StreamedBlockType,
    extra: Extra,
    call: { id: string; name: string } = { id: '', name: '' },
  ): Generator<StreamChunk, OpenBlock<Extra>> {
    const index = this.#blocks.length;
    const characters = new WholeCharacters();
    const block: OpenBlock<Extra> = { index, type, extra, ...call, text: '', state: 'open', characters };
    this.#blocks.push(block);
    yield { type: 'block-start', index, blockType: type };
    if (type === 'tool-call')
      yield {
        type: 'tool-call-delta',
        index,
        id: idOf(block),
        ...(call.name && { name: call.name }),
        argumentsDelta: '',
      };
    return block;
  }

  /** Adds to a block, so that no chunk ends in half a character; a block that is closed takes nothing more. */
  *add(block: OpenBlock<Extra>, piece: string | null | undefined): Generator<StreamChunk> {
    if (!piece || block.state === 'closed') return;
    yield* this.#tell(block, block.characters.push(piece));
  }

  *close(block: OpenBlock<Extra>): Generator<StreamChunk> {
    if (block.state === 'closed') return;
    yield* this.#tell(block, block.characters.flush());
    block.state = 'closed';
    yield { type: 'block-end', index: block.index, block: contentOf(block) };
  }

  /** Closes what is still open. */
  *closeAll(): Generator<StreamChunk> {
    for (const block of this.#blocks) yield* this.close(block);
  }

  *#tell(block: OpenBlock<Extra>, piece: string): Generator<StreamChunk> {
    if (!piece) return;
    block.text += piece;
    const { index, type } = block;
    switch (type) {
      case 'text':
        yield { type: 'text-delta', index, text: piece };
        break;
      case 'reasoning':
        yield { type: 'reasoning-delta', index, text: piece };
        break;
      case 'tool-call':
        yield { type: 'tool-call-delta', index, id: idOf(block), argumentsDelta: piece };
        break;
      default:
        assertNever(type, 'block');
    }
  }
}

/** A call whose id never came is named after its place in the answer. */
const idOf = ({ id, index }: OpenBlock<unknown>): CallId => (id || `call-${index}`) as CallId;

function contentOf(block: OpenBlock<unknown>): ContentBlock {
  if (block.type !== 'tool-call') return { type: block.type, text: block.text };
  return { type: 'tool-call', id: idOf(block), name: block.name, arguments: block.text };
}
