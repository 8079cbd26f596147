import './compaction-events.ts';
import { canonicalJson } from './canonical-json.ts';
import type { SessionEvent, SessionEventOf, SurfaceEvent } from './events.ts';
import { isSurfaceType } from './event-registry.ts';
import { canonicalHeader } from './header-equality.ts';
import type { EpochHeader } from './requests.ts';
import type { SurfaceFold } from './surface-fold.ts';
import { headerTokens, messageTokens } from './token-price.ts';

/** What the next request would cost, about. */
export interface Measurement {
  /** The number of events it was made from. */
  logRevision: number;
  /** What it stands on: nothing, a price list, or what a provider once counted. */
  baseline: 'none' | 'estimated' | 'usage';
  /** What came to the surface since the baseline, and left it. */
  surfaceDeltaTokens: number;
  totalTokens: number;
  surfaceTokens: number;
}

/** A request whose real size a provider told. */
interface Anchor {
  seq: number;
  header: string;
  /** Prompt and answer, as counted. */
  counted: number;
  /** The same by our prices. */
  priced: number;
}

/**
 * Counts what a session's next request costs, event by event: what the provider counted last, and prices for what came
 * since. A replacement whose shadow nobody priced voids the count, else it would go on counting what is gone.
 */
export class TokenMeter {
  readonly #fold: SurfaceFold;
  readonly #prices = new Map<number, number>();
  #revision = 0;
  #surface = 0;
  #delta = 0;
  #header: { key: string; tokens: number } | undefined;
  #anchor: Anchor | undefined;
  #shadow: readonly number[] | undefined;

  /** The fold must have applied each event just before the meter does. */
  constructor(fold: SurfaceFold) {
    this.#fold = fold;
  }

  /** Takes an event the fold has just applied. */
  apply(event: SessionEvent): void {
    this.#revision = event.seq + 1;
    if (event.type === 'request/header') {
      const { header } = event.data;
      this.#header = { key: keyOf(header), tokens: headerTokens(header) };
    } else if (event.type === 'compact/prune' || event.type === 'compact/summary') {
      this.#shadow = event.data.shadowedSeqs;
    } else if (isSurfaceType(event.type)) {
      this.#take(event as SurfaceEvent);
    }
  }

  /** What a current node costs. */
  priceOf(seq: number): number {
    return this.#prices.get(seq) ?? 0;
  }

  /** What a request with this header would cost now. */
  measure(header: EpochHeader): Measurement {
    const common = { logRevision: this.#revision, surfaceTokens: this.#surface };
    const anchor = this.#anchor;
    if (!anchor || anchor.header !== keyOf(header)) {
      const totalTokens = headerTokens(header) + this.#surface;
      return Object.freeze({ ...common, baseline: 'none', surfaceDeltaTokens: this.#surface, totalTokens });
    }
    return Object.freeze({
      ...common,
      baseline: anchor.counted >= anchor.priced ? 'usage' : 'estimated',
      surfaceDeltaTokens: this.#delta,
      totalTokens: Math.max(0, Math.max(anchor.counted, anchor.priced) + this.#delta),
    });
  }

  #take(node: SurfaceEvent): void {
    const tokens = nodeTokens(node);
    this.#prices.set(node.seq, tokens);
    this.#surface += tokens;
    this.#delta += tokens;
    if (node.surfaceOp !== 'append') this.#replaced();
    else if (node.type === 'assistant/message') this.#anchorAt(node);
  }

  #replaced(): void {
    const gone = this.#fold.replacements.at(-1)?.shadowedSeqs ?? [];
    const known = sameNumbers(gone, this.#shadow);
    this.#shadow = undefined;
    for (const seq of gone) {
      const price = this.priceOf(seq);
      this.#prices.delete(seq);
      this.#surface -= price;
      this.#delta -= this.#share(seq, price);
    }
    if (!known) this.#anchor = undefined;
  }

  /** What a node is of the baseline: where a provider counted more than we, all of it was more. */
  #share(seq: number, price: number): number {
    const anchor = this.#anchor;
    if (!anchor || seq > anchor.seq || anchor.counted <= anchor.priced) return price;
    return Math.floor((price * anchor.counted) / anchor.priced);
  }

  #anchorAt({ seq, data: { usage } }: SessionEventOf<'assistant/message'>): void {
    if (!usage || !this.#header) return;
    const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
    this.#anchor = {
      seq,
      header: this.#header.key,
      counted: inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens,
      priced: this.#header.tokens + this.#surface,
    };
    this.#delta = 0;
  }
}

/** What a node of the surface costs as a message. */
export function nodeTokens(node: SurfaceEvent): number {
  if (node.type !== 'tool/result') return node.data.content.length === 0 ? 0 : messageTokens(node.data.content);
  const { callId, content } = node.data;
  return messageTokens([{ type: 'tool-result', toolCallId: callId, content }]);
}

const keys = new WeakMap<EpochHeader, string>();

function keyOf(header: EpochHeader): string {
  const known = keys.get(header);
  if (known !== undefined) return known;
  const key = canonicalJson(canonicalHeader(header));
  keys.set(header, key);
  return key;
}

function sameNumbers(a: readonly number[], b: readonly number[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((seq, index) => seq === b[index]);
}
