import { z } from 'zod';
import { cutBytes } from './byte-cut.ts';
import { registerEvent } from './event-registry.ts';
import { Natural } from './scalars.ts';
import { turnTriggers } from './turn-variants.ts';

/** Who gave a session its title. */
export type TitleSource =
  | { kind: 'fallback' }
  | { kind: 'provider'; provider: string; model?: string }
  | { kind: 'user' };

declare module './events.ts' {
  interface SessionEventMap {
    /** The last one holds. */
    'session/title': { title: string; messageSeqs: number[]; source: TitleSource };
  }
  interface TurnTriggerMap {
    'session-title': { kind: 'session-title' };
  }
}

registerEvent('session/title', {
  schema: z.strictObject({
    title: z.string().min(1),
    messageSeqs: z.array(Natural),
    source: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('fallback') }),
      z.strictObject({ kind: z.literal('provider'), provider: z.string(), model: z.string().exactOptional() }),
      z.strictObject({ kind: z.literal('user') }),
    ]),
  }),
  outOfBand: true,
});
turnTriggers.register('session-title', z.strictObject({ kind: z.literal('session-title') }));

const MAX_TITLE_BYTES = 80;
const FALLBACK_WORDS = 5;
const FALLBACK_BYTES = 40;

// Terminal sequences, control characters, and marks that turn the direction of text.
const ESCAPES = /\u001B(?:\][^\u0007\u001B]*(?:\u0007|\u001B\\)|\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])/g;
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** A title as it is kept: one line, nothing unseen, at most 80 bytes; `undefined` where nothing is left. */
export function normalizeTitle(title: string, maxBytes = MAX_TITLE_BYTES): string | undefined {
  const line = title.toWellFormed().replaceAll(ESCAPES, '').replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim();
  return cutBytes(line, maxBytes).trim() || undefined;
}

/** What a session is called until somebody says better: the first words of what a person first said. */
export function fallbackTitle(words: string): string | undefined {
  const line = normalizeTitle(words, Number.MAX_SAFE_INTEGER);
  return line && normalizeTitle(line.split(' ').slice(0, FALLBACK_WORDS).join(' '), FALLBACK_BYTES);
}
