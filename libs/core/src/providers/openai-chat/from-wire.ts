import { assertNever } from '../../domain/index.ts';
import type { CallId, ContentBlock, FinishReason, StreamChunk, TokenUsage } from '../../domain/index.ts';
import { CallSlots } from './call-slots.ts';
import type { CallSlot } from './call-slots.ts';
import type { Taken, Translator } from '../wire/answer.ts';
import { finishReason } from '../wire/finish-reason.ts';
import { WholeCharacters } from '../wire/whole-characters.ts';
import { tokenUsage } from './usage.ts';
import { WireFrame } from './wire-frame.ts';
import type { ToolCallPiece } from './wire-frame.ts';

type OpenBlock = { index: number; characters: WholeCharacters } & (
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; call: CallSlot }
);

/** Turns frames into chunks: deltas at once; block ends, usage and finish only when the answer is over. */
export class FromWire implements Translator {
  readonly lastWord = '[DONE]';
  readonly doneFrame = 'ends';
  readonly #blocks: OpenBlock[] = [];
  readonly #calls = new CallSlots();
  readonly #contextWindow: number | undefined;
  #usage: TokenUsage | undefined;
  #reason: string | undefined;

  constructor(input: { contextWindow?: number }) {
    this.#contextWindow = input.contextWindow;
  }

  *push(body: unknown): Generator<StreamChunk, Taken> {
    const frame = WireFrame.safeParse(body);
    if (!frame.success) return 'foreign';
    yield* this.#frame(frame.data);
    return 'taken';
  }

  whole(body: unknown): Generator<StreamChunk> | undefined {
    const frame = WireFrame.safeParse(body);
    return frame.success && frame.data.choices?.length ? this.#whole(frame.data) : undefined;
  }

  *#whole(frame: WireFrame): Generator<StreamChunk> {
    yield* this.#frame(frame);
    yield* this.end();
  }

  *#frame(frame: WireFrame): Generator<StreamChunk> {
    this.#usage = tokenUsage(frame) ?? this.#usage;
    for (const choice of frame.choices ?? []) {
      if ((choice.index ?? 0) !== 0) continue;
      const delta = choice.delta ?? choice.message;
      yield* this.#text('reasoning', delta?.reasoning_content || delta?.reasoning);
      yield* this.#text('text', delta?.content);
      yield* this.#text('text', delta?.refusal);
      const whole = choice.message ? delta?.tool_calls?.map((piece, index) => ({ ...piece, index })) : undefined;
      for (const piece of whole ?? delta?.tool_calls ?? []) yield* this.#call(piece);
      this.#reason = choice.finish_reason || this.#reason;
    }
  }

  *end(): Generator<StreamChunk> {
    for (const block of this.#blocks) {
      const rest = block.characters.flush();
      if (rest) yield deltaOf(block, rest);
    }
    for (const block of this.#blocks) yield { type: 'block-end', index: block.index, block: contentOf(block) };
    if (this.#usage) yield { type: 'usage', usage: this.#usage };
    yield { type: 'finish', reason: this.#finish() };
  }

  *#text(type: 'text' | 'reasoning', piece: string | null | undefined): Generator<StreamChunk> {
    if (!piece) return;
    let block = this.#blocks.find((candidate) => candidate.type === type);
    if (!block) {
      block = { ...this.#next(), type, text: '' };
      yield this.#open(block);
    }
    const ready = block.characters.push(piece);
    if (ready) yield deltaOf(block, ready);
  }

  *#call(piece: ToolCallPiece): Generator<StreamChunk> {
    const call = this.#calls.take(piece);
    let block = this.#blocks.find((candidate) => candidate.type === 'tool-call' && candidate.call === call);
    const first = !block;
    if (!block) {
      block = { ...this.#next(), type: 'tool-call', call };
      yield this.#open(block);
    }
    const ready = block.characters.push(piece.function?.arguments ?? '');
    const name = piece.function?.name;
    if (first || ready || name) yield { ...deltaOf(block, ready), ...(name && { name }) } as StreamChunk;
  }

  #next(): { index: number; characters: WholeCharacters } {
    return { index: this.#blocks.length, characters: new WholeCharacters() };
  }

  #open(block: OpenBlock): StreamChunk {
    this.#blocks.push(block);
    return { type: 'block-start', index: block.index, blockType: block.type };
  }

  #finish(): FinishReason {
    return finishReason({
      reason: this.#reason,
      blocks: this.#blocks.map((block) => block.type),
      promptTokens: (this.#usage?.inputTokens ?? 0) + (this.#usage?.cacheReadTokens ?? 0),
      ...(this.#contextWindow !== undefined && { contextWindow: this.#contextWindow }),
    });
  }
}

/** Adds text to a block and tells it. */
function deltaOf(block: OpenBlock, piece: string): StreamChunk {
  switch (block.type) {
    case 'text':
      block.text += piece;
      return { type: 'text-delta', index: block.index, text: piece };
    case 'reasoning':
      block.text += piece;
      return { type: 'reasoning-delta', index: block.index, text: piece };
    case 'tool-call':
      block.call.arguments += piece;
      return { type: 'tool-call-delta', index: block.index, id: callId(block), argumentsDelta: piece };
    default:
      return assertNever(block, 'block');
  }
}

function contentOf(block: OpenBlock): ContentBlock {
  if (block.type !== 'tool-call') return { type: block.type, text: block.text };
  return { type: 'tool-call', id: callId(block), name: block.call.name, arguments: block.call.arguments };
}

/** A call whose id never came is named after its place in the answer. */
function callId(block: Extract<OpenBlock, { type: 'tool-call' }>): CallId {
  return (block.call.id || `call-${block.index}`) as CallId;
}
