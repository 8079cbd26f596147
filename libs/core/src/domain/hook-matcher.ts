import type { HookDialect } from './hook-events.ts';

/** Whether a hook is meant by what its point is about: a tool's name, why a session starts. */
export type HookMatcher = (subject: string) => boolean;

const NAMES = /^[A-Za-z0-9_|]+$/;

/**
 * Reads a matcher of a dialect: nothing or `*` = everything; names separated by `|` where the dialect has such lists;
 * else a regular expression, found anywhere. Throws `SyntaxError` for one that is none.
 */
export function hookMatcher(dialect: HookDialect, text: string | undefined): HookMatcher {
  if (text === undefined || text === '' || text === '*') return () => true;
  if (dialect !== 'codex' && NAMES.test(text)) {
    const names = text.split('|');
    return (subject) => names.includes(subject);
  }
  const expression = new RegExp(text);
  return (subject) => expression.test(subject);
}
