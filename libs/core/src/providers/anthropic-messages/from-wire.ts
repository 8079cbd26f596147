import { assertNever } from '../../domain/index.ts';
import type { FinishReason, StreamChunk, TokenUsage } from '../../domain/index.ts';
import type { Taken, Translator } from '../wire/answer.ts';
import { finishReason } from '../wire/finish-reason.ts';
import { OpenBlocks } from '../wire/open-blocks.ts';
import type { OpenBlock } from '../wire/open-blocks.ts';
import { replayStateOf } from './replay.ts';
import type { BlockState } from './replay.ts';
import { isEvent, isKnown, WireEvent } from './wire-event.ts';
import type { WireBlock, WireDelta, WireUsage } from './wire-event.ts';

interface Extra {
  signature: string;
  redacted?: string;
  /** Arguments that came whole with the beginning, for servers that stream none. */
  given?: string;
}

/** Turns the events of the Messages API into chunks. */
export class FromWire implements Translator {
  readonly lastWord = 'message_stop';
  readonly doneFrame = 'ignored';
  readonly #blocks = new OpenBlocks<Extra>();
  /** By the wire's own index; `skipped` is a kind of block we have no use for. */
  readonly #byIndex = new Map<number, OpenBlock<Extra> | 'skipped'>();
  readonly #contextWindow: number | undefined;
  #usage: WireUsage | undefined;
  #reason: string | undefined;

  constructor(input: { contextWindow?: number }) {
    this.#contextWindow = input.contextWindow;
  }

  *push(body: unknown): Generator<StreamChunk, Taken> {
    if (!isKnown(body)) return isEvent(body) ? 'taken' : 'foreign';
    const parsed = WireEvent.safeParse(body);
    if (!parsed.success) return 'foreign';
    const event = parsed.data;
    switch (event.type) {
      case 'message_start':
        this.#count(event.message.usage);
        return 'taken';
      case 'content_block_start':
        yield* this.#start(event.index, event.content_block);
        return 'taken';
      case 'content_block_delta':
        return yield* this.#delta(event.index, event.delta);
      case 'content_block_stop':
        yield* this.#stop(event.index);
        return 'taken';
      case 'message_delta':
        this.#count(event.usage);
        this.#reason = event.delta.stop_reason ?? this.#reason;
        return 'taken';
      case 'message_stop':
        return 'last';
      default:
        return assertNever(event, 'event');
    }
  }

  *end(): Generator<StreamChunk> {
    for (const [index] of this.#byIndex) yield* this.#stop(index);
    const usage = this.#usage && tokenUsage(this.#usage);
    if (usage) yield { type: 'usage', usage };
    const replayState = replayStateOf(this.#blocks.all.map(stateOf));
    yield { type: 'finish', reason: this.#finish(usage), ...(replayState !== undefined && { replayState }) };
  }

  *#start(index: number, block: WireBlock): Generator<StreamChunk> {
    if (this.#byIndex.has(index)) return;
    const opened = yield* this.#open(block);
    this.#byIndex.set(index, opened ?? 'skipped');
  }

  *#open(block: WireBlock): Generator<StreamChunk, OpenBlock<Extra> | undefined> {
    switch (block.type) {
      case 'text': {
        const opened = yield* this.#blocks.open('text', { signature: '' });
        yield* this.#blocks.add(opened, block.text);
        return opened;
      }
      case 'thinking': {
        const opened = yield* this.#blocks.open('reasoning', { signature: block.signature ?? '' });
        yield* this.#blocks.add(opened, block.thinking);
        return opened;
      }
      case 'redacted_thinking':
        return yield* this.#blocks.open('reasoning', { signature: '', redacted: block.data ?? '' });
      case 'tool_use': {
        const whole = isFilled(block.input) ? { given: JSON.stringify(block.input) } : {};
        const call = { id: block.id ?? '', name: block.name ?? '' };
        return yield* this.#blocks.open('tool-call', { signature: '', ...whole }, call);
      }
      default:
        return undefined;
    }
  }

  *#delta(index: number, delta: WireDelta): Generator<StreamChunk, Taken> {
    const block = this.#byIndex.get(index);
    if (block === undefined) return 'foreign';
    if (block === 'skipped') return 'taken';
    switch (delta.type) {
      case 'text_delta':
        yield* this.#blocks.add(block, delta.text);
        break;
      case 'thinking_delta':
        yield* this.#blocks.add(block, delta.thinking);
        break;
      case 'input_json_delta':
        yield* this.#blocks.add(block, delta.partial_json);
        break;
      case 'signature_delta':
        block.extra.signature += delta.signature ?? '';
        break;
      // Citations and what may come: nothing a message of ours holds.
    }
    return 'taken';
  }

  *#stop(index: number): Generator<StreamChunk> {
    const block = this.#byIndex.get(index);
    if (block === undefined || block === 'skipped') return;
    if (block.text === '') yield* this.#blocks.add(block, block.extra.given);
    yield* this.#blocks.close(block);
  }

  #count(usage: WireUsage | null | undefined): void {
    if (!usage) return;
    const told = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }

  #finish(usage: TokenUsage | undefined): FinishReason {
    const blocks = this.#blocks.all.map(({ type }) => type);
    if (this.#reason === 'model_context_window_exceeded' && blocks.length === 0)
      return {
        kind: 'error',
        failure: { code: 'CONTEXT_WINDOW_EXCEEDED', message: 'the model had no room to answer' },
      };
    const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
    return finishReason({
      reason: this.#reason && (REASONS[this.#reason] ?? this.#reason),
      blocks,
      promptTokens: inputTokens + cacheReadTokens + cacheWriteTokens,
      ...(this.#contextWindow !== undefined && { contextWindow: this.#contextWindow }),
    });
  }
}

const REASONS: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
};

const isFilled = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && Object.keys(input).length > 0;

function stateOf({ extra: { signature, redacted } }: OpenBlock<Extra>): BlockState | undefined {
  if (redacted !== undefined) return { redacted };
  return signature ? { signature } : undefined;
}

/** The provider's counts do not overlap; `input_tokens` leaves out what the cache took part in. */
function tokenUsage(wire: WireUsage): TokenUsage {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = wire;
  const thought = wire.output_tokens_details?.thinking_tokens;
  return {
    inputTokens: Math.round(wire.input_tokens ?? 0),
    outputTokens: Math.round(wire.output_tokens ?? 0),
    ...(typeof read === 'number' && { cacheReadTokens: Math.round(read) }),
    ...(typeof written === 'number' && { cacheWriteTokens: Math.round(written) }),
    ...(typeof thought === 'number' && { reasoningTokens: Math.round(thought) }),
  };
}
