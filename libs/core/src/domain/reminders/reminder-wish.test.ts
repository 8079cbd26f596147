import { describe, expect, test } from 'vitest';
import { MOST_PROMPT_BYTES } from './reminder.ts';
import { readReminderWish } from './reminder-wish.ts';

const prompt = ' look at the oven ';
const at = (value: unknown) => readReminderWish({ prompt, at: value });

describe('a wish for a reminder', () => {
  test.each<[string, object, object]>([
    ['after', { after_seconds: 60 }, { kind: 'after', afterSeconds: 60 }],
    ['every', { every_seconds: 300 }, { kind: 'every', everySeconds: 300 }],
    ['at, UTC', { at: '2026-05-01T09:00:00Z' }, { kind: 'at', at: Date.UTC(2026, 4, 1, 9) }],
    ['at, offset', { at: '2026-05-01T09:00:00.5+02:30' }, { kind: 'at', at: Date.UTC(2026, 4, 1, 6, 30, 0, 500) }],
    [
      'local',
      { at: { date: '2026-05-01', time: '09:00', time_zone: 'Europe/Berlin' } },
      { kind: 'local', local: { date: '2026-05-01', time: '09:00', timeZone: 'Europe/Berlin' } },
    ],
  ])('%s', (_name, selector, rule) => {
    expect(readReminderWish({ prompt, ...selector })).toEqual({ prompt: 'look at the oven', rule });
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'invalid_selector'],
    ['no selector', { prompt }, 'invalid_selector'],
    ['two selectors', { prompt, at: '2026-05-01T09:00:00Z', after_seconds: 1 }, 'invalid_selector'],
    ['an unknown key', { prompt, after_seconds: 1, cron: '* * * * *' }, 'invalid_selector'],
    ['an unknown key, before its prompt', { prompt: '', after_seconds: 1, cron: '' }, 'invalid_selector'],
    ['a blank prompt', { prompt: '  ', after_seconds: 1 }, 'invalid_prompt'],
    ['no prompt', { after_seconds: 1 }, 'invalid_prompt'],
    ['a prompt, before its rule', { prompt: 1, every_seconds: 1 }, 'invalid_prompt'],
    ['a long prompt', { prompt: 'x'.repeat(MOST_PROMPT_BYTES + 1), after_seconds: 1 }, 'invalid_prompt'],
    ['no seconds', { prompt, after_seconds: 0 }, 'invalid_rule'],
    ['half a second', { prompt, after_seconds: 0.5 }, 'invalid_rule'],
    ['too many seconds to count', { prompt, after_seconds: 2 ** 53 }, 'invalid_rule'],
    ['seconds as text', { prompt, after_seconds: '60' }, 'invalid_rule'],
    ['an interval too short', { prompt, every_seconds: 299 }, 'frequency_too_high'],
    ['a broken interval', { prompt, every_seconds: 300.5 }, 'invalid_rule'],
  ])('refuses %s', (_name, given, code) => {
    expect(readReminderWish(given)).toMatchObject({ code });
  });

  test.each<[string, unknown, string]>([
    ['no offset', '2026-05-01T09:00:00', 'invalid_rule'],
    ['an unknown offset', '2026-05-01T09:00:00-00:00', 'invalid_rule'],
    ['an offset of a day', '2026-05-01T09:00:00+24:00', 'invalid_rule'],
    ['a leap second', '2026-05-01T09:00:60Z', 'invalid_rule'],
    ['hour 24', '2026-05-01T24:00:00Z', 'invalid_rule'],
    ['the year 0', '0000-05-01T09:00:00Z', 'invalid_rule'],
    ['February 30', '2026-02-30T09:00:00Z', 'invalid_rule'],
    ['four digits of a second', '2026-05-01T09:00:00.0000Z', 'invalid_rule'],
    ['a number', 5, 'invalid_rule'],
    ['a part missing', { date: '2026-05-01', time_zone: 'UTC' }, 'invalid_rule'],
    ['a part too many', { date: '2026-05-01', time: '09:00', time_zone: 'UTC', fold: 1 }, 'invalid_rule'],
    ['a date that is no text', { date: 20260501, time: '09:00', time_zone: 'UTC' }, 'invalid_rule'],
    ['a zone that is no text', { date: '2026-05-01', time: '09:00', time_zone: 2 }, 'invalid_time_zone'],
    ['no zone', { date: '2026-05-01', time: '09:00' }, 'invalid_time_zone'],
  ])('refuses a time with %s', (_name, value, code) => {
    expect(at(value)).toMatchObject({ code });
  });
});
