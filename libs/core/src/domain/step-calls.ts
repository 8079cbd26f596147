import { isBlobRef } from './blob.ts';
import type { ContentBlock } from './content.ts';

/** Codes of results that recovery writes for calls which were requested and never recorded as started. */
const RECOVERY_CODES: ReadonlySet<string> = new Set(['interrupted', 'TOOL_NOT_STARTED']);

interface ResultData {
  callId: string;
  error?: { code: string };
}

/** Follows the tool calls of one step: requested by its message, started by `tool/call`, answered by `tool/result`. */
export class StepCalls {
  readonly #pending = new Map<string, number[]>();
  /** Ids in model order; `undefined` when the message was not seen or travels by reference. */
  #requested: string[] | undefined;
  #answered = 0;

  /** Calls that a `tool/call` this object did not see has started. */
  constructor(pending: Iterable<string> = []) {
    for (const callId of pending) this.start(callId, -1);
  }

  request(content: readonly ContentBlock[] | object): void {
    if (isBlobRef(content) || !Array.isArray(content)) return;
    this.#requested = (content as ContentBlock[]).flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
  }

  start(callId: string, seq: number): void {
    this.#pending.set(callId, [...(this.#pending.get(callId) ?? []), seq]);
  }

  /** What is wrong with an appended result, if anything. */
  checkResult({ callId, error }: ResultData): string | undefined {
    const started = this.#pending.has(callId);
    if (!started && !(error && RECOVERY_CODES.has(error.code))) return `no call "${callId}" is pending in this step`;
    if (!this.#requested) return undefined;
    const next = this.#requested[this.#answered];
    if (next === callId) return undefined;
    return next === undefined
      ? `every call of the message has its result already, "${callId}" is one too many`
      : `results come in model order: "${next}" is next, not "${callId}"`;
  }

  answer(callId: string): void {
    this.#answered += 1;
    const [, ...rest] = this.#pending.get(callId) ?? [];
    if (rest.length > 0) this.#pending.set(callId, rest);
    else this.#pending.delete(callId);
  }

  /** The seq of the pending `tool/call`, when this object saw it. */
  callSeq(callId: string): number | undefined {
    return this.#pending.get(callId)?.[0];
  }

  /** Calls of the message without a result so far. */
  unanswered(): string[] {
    return this.#requested?.slice(this.#answered) ?? [...this.#pending.keys()];
  }
}
