import type { SessionEvent } from './events.ts';
import type { ContentBlock } from './content.ts';
import type { SessionId } from './ids.ts';

/** How an event stands: on the surface, hidden behind what replaced it, or never there. */
export type EventSurface = 'current' | 'shadowed' | 'log-only';
export const EVENT_SURFACES = ['current', 'shadowed', 'log-only'] as const;

export type SessionQueryCode =
  | 'SESSION_QUERY_EVENT_NOT_FOUND'
  | 'SESSION_QUERY_INVALID_CURSOR'
  | 'SESSION_QUERY_INVALID_FILTER'
  | 'SESSION_QUERY_INVALID_LIMIT'
  | 'SESSION_QUERY_INVALID_LINEAGE'
  | 'SESSION_QUERY_INVALID_QUERY'
  | 'SESSION_QUERY_INVALID_WINDOW'
  | 'SESSION_QUERY_SESSION_NOT_FOUND'
  | 'SESSION_QUERY_STALE_CURSOR';

/** A question about sessions that has no answer; the message says what to change. */
export class SessionQueryError extends Error {
  readonly code: SessionQueryCode;

  constructor(code: SessionQueryCode, message: string) {
    super(message);
    this.name = 'SessionQueryError';
    this.code = code;
  }
}

/** Most hits of one page, and how many there are unless a question says otherwise. */
export const SEARCH_LIMITS = { most: 100, usual: 20 };

/** An event that holds a phrase. */
export interface SearchHit {
  session: SessionId;
  seq: number;
  type: string;
  /** Epoch ms. */
  time: number;
  surface: EventSurface;
  /** How often the phrase stands in it. */
  spans: number;
  /** Its words around the first of them, at most 240 characters. */
  snippet: string;
}

/** What of an event can be searched; `undefined` where that is nothing. The same as `searched_text` of the database. */
export function searchedText(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'user/message':
    case 'context/message':
    case 'steering/message':
    case 'assistant/message':
      return textsOf(event.data.content);
    case 'prompt/blocked':
      return joined([textsOf(event.data.content), event.data.reason]);
    case 'tool/call':
      return joined([event.data.name, event.data.arguments]);
    case 'tool/result':
      return joined([textsOf(event.data.content), event.data.error?.name, event.data.error?.code]);
    case 'todo/write':
      return joined(event.data.todos.map(({ status, content }) => `${status} ${content}`));
    case 'turn/end':
      return endText(event.data.reason);
    default:
      return undefined;
  }
}

function endText(reason: { kind: string } & Record<string, unknown>): string | undefined {
  if (!['error', 'aborted', 'max-tokens', 'interrupted'].includes(reason.kind)) return undefined;
  const { code, message, failure } = reason as {
    code?: string;
    message?: string;
    failure?: { code: string; message: string };
  };
  return joined([reason.kind, code, message, failure?.code, failure?.message]);
}

const textsOf = (content: readonly ContentBlock[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');

const joined = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' ');

const SNIPPET = 240;

/** The text around the first place of a phrase, on one line. */
export function snippetOf(text: string, phrase: string): string {
  const words = phrase.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const pattern = words
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(String.raw`[^\p{L}\p{N}]+`);
  const at = words.length > 0 ? text.search(new RegExp(pattern, 'iu')) : -1;
  const from = Math.max(0, at - 80);
  const around = text
    .slice(from, from + 2_000)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
    .toWellFormed(); // what the log has is kept there as it came
  const points = Array.from(around.replaceAll(/\s+/gu, ' ').trim());
  const start = at > 80 ? '…' : '';
  const room = SNIPPET - start.length;
  return points.length > room ? `${start}${points.slice(0, room - 1).join('')}…` : `${start}${points.join('')}`;
}
