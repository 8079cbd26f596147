import { parseInstant } from './instant.ts';
import type { LocalTime } from './local-time.ts';
import { MOST_PROMPT_BYTES, SHORTEST_INTERVAL_SECONDS, type ReminderRule } from './reminder.ts';
import { isReminderError, reminderError, type ReminderError } from './reminder-error.ts';

/** A reminder somebody wants; a local time is still to be resolved. */
export interface ReminderWish {
  prompt: string;
  rule: ReminderRule | { kind: 'local'; local: LocalTime };
}

const SELECTORS = ['after_seconds', 'every_seconds', 'at'] as const;

/** Reads what somebody sent, so far as it needs neither clock nor time zone; anything may be sent. */
export function readReminderWish(given: unknown): ReminderWish | ReminderError {
  const { prompt, ...rest } = asObject(given);
  const chosen = SELECTORS.filter((name) => rest[name] !== undefined);
  const unknown = Object.keys(rest).filter((name) => !(SELECTORS as readonly string[]).includes(name));
  if (unknown.length > 0) return reminderError('invalid_selector', `unknown: ${unknown.map(quoted).join(', ')}`);
  if (chosen.length !== 1) {
    const found = chosen.length === 0 ? 'none is given' : `${chosen.map(quoted).join(' and ')} are given`;
    return reminderError('invalid_selector', `give exactly one of ${SELECTORS.map(quoted).join(', ')}; ${found}`);
  }
  const text = typeof prompt === 'string' ? prompt.trim() : '';
  if (text === '') return reminderError('invalid_prompt', '"prompt" must be a text that says what to remind of');
  if (new TextEncoder().encode(text).length > MOST_PROMPT_BYTES)
    return reminderError('invalid_prompt', `"prompt" may have ${MOST_PROMPT_BYTES} bytes at most`);
  const rule = readRule(rest);
  return isReminderError(rule) ? rule : { prompt: text, rule };
}

function readRule({
  after_seconds: after,
  every_seconds: every,
  at,
}: Record<string, unknown>): ReminderWish['rule'] | ReminderError {
  if (after !== undefined) {
    if (!isWhole(after) || after <= 0) return notWhole('after_seconds', 'a whole number above 0');
    return { kind: 'after', afterSeconds: after };
  }
  if (every !== undefined) {
    if (!isWhole(every)) return notWhole('every_seconds', `a whole number, ${SHORTEST_INTERVAL_SECONDS} or more`);
    if (every < SHORTEST_INTERVAL_SECONDS)
      return reminderError(
        'frequency_too_high',
        `"every_seconds" must be ${SHORTEST_INTERVAL_SECONDS} or more, not ${every}`,
      );
    return { kind: 'every', everySeconds: every };
  }
  if (typeof at !== 'string') return readLocal(at);
  const instant = parseInstant(at);
  return typeof instant === 'number' ? { kind: 'at', at: instant } : instant;
}

function readLocal(at: unknown): ReminderWish['rule'] | ReminderError {
  const { date, time, time_zone: timeZone, ...rest } = asObject(at);
  if (typeof date !== 'string' || typeof time !== 'string' || Object.keys(rest).length > 0)
    return reminderError('invalid_rule', '"at" must be an instant with an offset, or exactly {date, time, time_zone}');
  if (typeof timeZone !== 'string') return reminderError('invalid_time_zone', '"at.time_zone" must be a text');
  return { kind: 'local', local: { date, time, timeZone } };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const notWhole = (field: string, wanted: string): ReminderError =>
  reminderError('invalid_rule', `"${field}" must be ${wanted}`);
const quoted = (name: string): string => `"${name}"`;

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
