import { text, type SessionId } from '@everturn/core/domain';
import type { Spilled, SpillPort } from './spill-port.ts';
import type { ToolExecutionResult } from './tool-result.ts';
import { utf8Head, utf8Length, utf8Tail } from './utf8.ts';

/** Tools whose results are never bounded, because they page by themselves. */
const SELF_PAGING = new Set(['read']);

export interface BoundResultInput {
  tool: string;
  result: ToolExecutionResult;
  session: SessionId;
  spill: SpillPort;
  /** UTF-8 bytes. */
  maxInlineBytes: number;
  /** The log's copy of what a program got is bounded whatever the tool. */
  copy?: 'log';
  /** Told when saving failed; the whole result is then kept, because losing output is worse than a long one. */
  warn?(message: string, cause: unknown): void;
}

/**
 * Replaces the text of an oversized result by its two ends and a notice where the whole lies.
 * For accepted results of top-level calls; anything with a non-text block passes through.
 */
export async function boundResult(input: BoundResultInput): Promise<ToolExecutionResult> {
  const { tool, result, session, spill, maxInlineBytes } = input;
  if (SELF_PAGING.has(tool) && input.copy === undefined) return result;
  const whole = oversizedText(result, maxInlineBytes);
  if (whole === undefined) return result;
  try {
    const saved = await spill.save({ session, name: `${tool}.txt`, text: whole });
    const preview = previewText(whole, saved, maxInlineBytes);
    return preview === undefined ? result : { ...result, content: [text(preview)] };
  } catch (cause) {
    input.warn?.(`the full result of ${tool} could not be saved, so it stays inline`, cause);
    return result;
  }
}

function oversizedText(result: ToolExecutionResult, maxInlineBytes: number): string | undefined {
  const parts: string[] = [];
  for (const block of result.content) {
    if (block.type !== 'text') return undefined;
    parts.push(block.text);
  }
  const whole = parts.join('\n');
  return utf8Length(whole) > maxInlineBytes ? whole : undefined;
}

/** Both ends of a text and a notice, within `maxBytes`; `undefined` when the notice alone would not fit. */
export function previewText(whole: string, saved: Spilled, maxBytes: number): string | undefined {
  const notice = (omitted: number) =>
    `(Omitted ${omitted} bytes. Full formatted result stored at: ${saved.locator}. ${saved.hint})`;
  const totalBytes = utf8Length(whole);
  const budget = maxBytes - utf8Length(notice(totalBytes)) - 2; // the longest notice there can be, and a blank line
  if (budget < 0) return undefined;
  const head = utf8Head(whole, Math.ceil(budget / 2));
  const tail = utf8Tail(whole, Math.floor(budget / 2));
  return `${head}${tail}\n\n${notice(totalBytes - utf8Length(head) - utf8Length(tail))}`;
}
