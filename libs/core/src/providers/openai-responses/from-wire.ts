import type { FinishReason, StreamChunk, StreamedBlockType, TokenUsage } from '../../domain/index.ts';
import type { Taken, Translator } from '../wire/answer.ts';
import { finishReason } from '../wire/finish-reason.ts';
import { OpenBlocks } from '../wire/open-blocks.ts';
import type { OpenBlock } from '../wire/open-blocks.ts';
import { errorOf } from '../wire/provider-error.ts';
import { replayStateOf } from './replay.ts';
import type { ItemState } from './replay.ts';
import { EVENTS } from './wire-event.ts';
import type { EventName, WireItem, WireResponse, WireUsage } from './wire-event.ts';

interface Extra {
  id?: string;
  encrypted?: string;
  summary?: string[];
}

/** Turns the events of the Responses API into chunks; each item of its output is a block. */
export class FromWire implements Translator {
  readonly lastWord = 'response.completed';
  readonly doneFrame = 'ignored';
  readonly #blocks = new OpenBlocks<Extra>();
  /** By place in the output; `skipped` is a kind of item we have no use for. */
  readonly #byIndex = new Map<number, OpenBlock<Extra> | 'skipped'>();
  readonly #contextWindow: number | undefined;
  #usage: TokenUsage | undefined;
  #reason: string | undefined;

  constructor(input: { contextWindow?: number }) {
    this.#contextWindow = input.contextWindow;
  }

  *push(body: unknown): Generator<StreamChunk, Taken> {
    const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
    if (typeof type !== 'string') return 'foreign';
    if (!Object.hasOwn(EVENTS, type)) return 'taken';
    return yield* this.#event(type as EventName, body);
  }

  *#event(type: EventName, body: unknown): Generator<StreamChunk, Taken> {
    switch (type) {
      case 'response.output_item.added': {
        const event = EVENTS[type].safeParse(body);
        if (!event.success) return 'foreign';
        yield* this.#begin(event.data.output_index, event.data.item);
        return 'taken';
      }
      case 'response.output_item.done': {
        const event = EVENTS[type].safeParse(body);
        if (!event.success) return 'foreign';
        yield* this.#begin(event.data.output_index, event.data.item);
        yield* this.#done(event.data.output_index, event.data.item);
        return 'taken';
      }
      case 'response.reasoning_summary_part.added': {
        const event = EVENTS[type].safeParse(body);
        if (!event.success) return 'foreign';
        // Parts are paragraphs of one thought.
        const apart = (event.data.summary_index ?? 0) > 0 ? '\n\n' : '';
        return yield* this.#add(event.data.output_index, apart);
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed': {
        const event = EVENTS[type].safeParse(body);
        return event.success ? this.#last(type, event.data.response) : 'foreign';
      }
      default: {
        const event = EVENTS[type].safeParse(body);
        return event.success ? yield* this.#add(event.data.output_index, event.data.delta) : 'foreign';
      }
    }
  }

  *end(): Generator<StreamChunk> {
    yield* this.#blocks.closeAll();
    if (this.#usage) yield { type: 'usage', usage: this.#usage };
    const replayState = replayStateOf(this.#blocks.all.map(stateOf));
    yield { type: 'finish', reason: this.#finish(), ...(replayState !== undefined && { replayState }) };
  }

  /** A server that tells of an item only when it is done is understood, too. */
  *#begin(index: number, item: WireItem): Generator<StreamChunk> {
    if (this.#byIndex.has(index)) return;
    const type = BLOCKS[item.type];
    if (!type) {
      this.#byIndex.set(index, 'skipped');
      return;
    }
    const call = { id: item.call_id ?? '', name: item.name ?? '' };
    const extra = item.id ? { id: item.id } : {};
    this.#byIndex.set(index, yield* this.#blocks.open(type, extra, type === 'tool-call' ? call : undefined));
  }

  *#add(index: number, piece: string): Generator<StreamChunk, Taken> {
    const block = this.#byIndex.get(index);
    if (block === undefined) return 'foreign';
    if (block !== 'skipped') yield* this.#blocks.add(block, piece);
    return 'taken';
  }

  *#done(index: number, item: WireItem): Generator<StreamChunk> {
    const block = this.#byIndex.get(index);
    if (block === undefined || block === 'skipped') return;
    if (block.text === '') yield* this.#blocks.add(block, wholeText(item));
    if (item.encrypted_content) block.extra.encrypted = item.encrypted_content;
    const summary = (item.summary ?? []).map((part) => part.text ?? '');
    if (summary.length > 0) block.extra.summary = summary;
    yield* this.#blocks.close(block);
  }

  #last(type: 'response.completed' | 'response.incomplete' | 'response.failed', response: WireResponse): Taken {
    if (type === 'response.failed') return { error: errorOf(response.error ?? 'the response failed') };
    this.#usage = response.usage ? tokenUsage(response.usage) : undefined;
    const why = response.incomplete_details?.reason;
    this.#reason = type === 'response.completed' && !why ? 'stop' : (why ?? 'incomplete');
    return 'last';
  }

  #finish(): FinishReason {
    return finishReason({
      reason: this.#reason === 'max_output_tokens' ? 'length' : this.#reason,
      blocks: this.#blocks.all.map(({ type }) => type),
      promptTokens: (this.#usage?.inputTokens ?? 0) + (this.#usage?.cacheReadTokens ?? 0),
      ...(this.#contextWindow !== undefined && { contextWindow: this.#contextWindow }),
    });
  }
}

const BLOCKS: Record<string, StreamedBlockType> = {
  message: 'text',
  reasoning: 'reasoning',
  function_call: 'tool-call',
};

/** What an item says that came without deltas. */
function wholeText({ type, arguments: args, content, summary }: WireItem): string {
  if (type === 'function_call') return args ?? '';
  const said = (content ?? []).map((part) => part.text ?? part.refusal ?? '').join('');
  return said || (summary ?? []).map((part) => part.text ?? '').join('\n\n');
}

function stateOf({ extra: { id, encrypted, summary } }: OpenBlock<Extra>): ItemState | undefined {
  if (id === undefined && encrypted === undefined) return undefined;
  return {
    ...(id !== undefined && { id }),
    ...(encrypted !== undefined && { encrypted }),
    ...(summary && { summary }),
  };
}

/** Makes the provider's overlapping counts disjoint. */
function tokenUsage(wire: WireUsage): TokenUsage {
  const cached = wire.input_tokens_details?.cached_tokens ?? undefined;
  const reasoning = wire.output_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: Math.max(0, Math.round((wire.input_tokens ?? 0) - (cached ?? 0))),
    outputTokens: Math.round(wire.output_tokens ?? 0),
    ...(cached !== undefined && { cacheReadTokens: Math.round(cached) }),
    ...(reasoning !== undefined && { reasoningTokens: Math.round(reasoning) }),
  };
}
