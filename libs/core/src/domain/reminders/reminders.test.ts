import { describe, expect, test } from 'vitest';
import { addReminder, removeReminder } from './change-reminders.ts';
import { nextDelivery } from './deliver-reminders.ts';
import { foldReminders } from './fold-reminders.ts';
import { isReminderError } from './reminder-error.ts';
import type { ReminderChange } from './reminder-events.ts';
import {
  MOST_PROMPT_BYTES,
  MOST_REMINDERS,
  NO_REMINDERS,
  viewReminder,
  type ReminderRule,
  type Reminders,
} from './reminder.ts';

const NOW = Date.parse('2026-05-01T12:00:00.000Z');
const HOUR = 3_600_000;
const every = (everySeconds: number): ReminderRule => ({ kind: 'every', everySeconds });
const after = (afterSeconds: number): ReminderRule => ({ kind: 'after', afterSeconds });

const added = (reminders: Reminders, prompt: string, rule: ReminderRule, now = NOW) => {
  const result = addReminder(reminders, { prompt, rule }, now);
  if (isReminderError(result)) throw new Error(result.message);
  return result;
};
const armed = (...rules: [string, ReminderRule][]): Reminders =>
  rules.reduce((reminders, [prompt, rule]) => added(reminders, prompt, rule).reminders, NO_REMINDERS);
const refused = (rule: ReminderRule, now = NOW) => addReminder(NO_REMINDERS, { prompt: 'p', rule }, now);

describe('making and deleting', () => {
  test('numbers are never given out twice', () => {
    const two = armed(['a', after(1)], ['b', after(1)]);
    const left = removeReminder(two, 'schedule-2');
    expect(left.armed.map(({ reminder }) => reminder.id)).toEqual(['schedule-1']);
    expect(added(left, 'c', after(1)).added.reminder.id).toBe('schedule-3');
    expect(removeReminder(left, 'schedule-2')).toBe(left);
  });

  test.each<[string, ReminderRule, string]>([
    ['now', { kind: 'at', at: NOW }, 'not_future'],
    ['before now', { kind: 'at', at: NOW - 1 }, 'not_future'],
    ['after the year 9999', { kind: 'at', at: Date.parse('9999-12-31T23:59:59.999Z') + 1 }, 'time_out_of_range'],
    ['before the year 1', { kind: 'at', at: Date.parse('0001-01-01T00:00:00.000Z') - 1 }, 'time_out_of_range'],
    ['in too many seconds', after(Number.MAX_SAFE_INTEGER), 'time_out_of_range'],
    ['at too long intervals', every(Number.MAX_SAFE_INTEGER), 'time_out_of_range'],
  ])('refuses one that is due %s', (_name, rule, code) => {
    expect(refused(rule)).toMatchObject({ code });
  });

  test('refuses more than a session can carry', () => {
    const many = armed(...Array.from({ length: MOST_REMINDERS }, (): [string, ReminderRule] => ['p', after(9)]));
    expect(addReminder(many, { prompt: 'p', rule: after(9) }, NOW)).toMatchObject({ code: 'too_many_schedules' });
    const long = armed(['ä'.repeat(MOST_PROMPT_BYTES / 2 - 1), after(9)]);
    expect(addReminder(long, { prompt: 'abc', rule: after(9) }, NOW)).toMatchObject({ code: 'too_many_schedules' });
  });

  test('is shown as it stands', () => {
    const { added: one } = added(NO_REMINDERS, 'a', every(300));
    expect(viewReminder(one, NOW)).toEqual({
      id: 'schedule-1',
      kind: 'every',
      prompt: 'a',
      scheduledAt: '2026-05-01T12:05:00.000Z',
      everySeconds: 300,
      state: 'scheduled',
      deliveryMode: 'session-local',
    });
    expect(viewReminder(one, one.dueAt).state).toBe('overdue');
  });
});

/** Delivers until nothing is due; the ids of each turn. */
function deliverAll(reminders: Reminders, now: number): string[][] {
  const turns: string[][] = [];
  for (let next = nextDelivery(reminders, now); next; next = nextDelivery(next.reminders, now))
    turns.push(next.occurrences.map(({ id }) => id));
  return turns;
}

describe('delivery', () => {
  test('one-shots first and one by one, by time and then by creation; then all recurring ones together', () => {
    const reminders = armed(
      ['r1', every(300)],
      ['late', after(20)],
      ['r2', every(600)],
      ['early', after(10)],
      ['r3', every(900)],
      ['as late', after(20)],
      ['not yet', after(86_400)],
    );
    expect(deliverAll(reminders, NOW + HOUR)).toEqual([
      ['schedule-4'],
      ['schedule-2'],
      ['schedule-6'],
      ['schedule-1', 'schedule-3', 'schedule-5'],
    ]);
  });

  test('of twelve missed slots only the latest counts, and slots stay where the first one put them', () => {
    const woke = NOW + HOUR + 7_000;
    const delivery = nextDelivery(armed(['r', every(300)]), woke);
    expect(delivery).toMatchObject({
      form: 'batch',
      occurrences: [{ id: 'schedule-1', at: NOW + HOUR }],
      changes: [{ version: 1, operation: 'dispatch', id: 'schedule-1', acceptedAt: new Date(woke).toISOString() }],
    });
    expect(delivery?.reminders.armed[0]?.dueAt).toBe(NOW + HOUR + 300_000);
  });

  test('nothing is due before its time, also when the clock was put back', () => {
    const reminders = armed(['a', after(10)]);
    expect(nextDelivery(reminders, NOW + 9_999)).toBeUndefined();
    expect(nextDelivery(reminders, NOW - HOUR)).toBeUndefined();
    expect(nextDelivery(reminders, NOW + 10_000)?.changes).toEqual([
      { version: 1, operation: 'dispatch', id: 'schedule-1' },
    ]);
  });

  test('a recurring reminder ends where its calendar does', () => {
    const last = Date.parse('9999-12-31T23:58:00.000Z');
    const reminders = added(NO_REMINDERS, 'r', every(300), last - 300_000).reminders;
    expect(nextDelivery(reminders, last)?.reminders.armed).toEqual([]);
  });
});

describe('the log', () => {
  const create = (reminders: Reminders, rule: ReminderRule): ReminderChange => ({
    version: 1,
    operation: 'create',
    schedule: added(reminders, 'p', rule).added.reminder,
  });
  const first = create(NO_REMINDERS, after(10));
  const recurring = create(NO_REMINDERS, every(300));
  const change = (operation: 'delete' | 'dispatch', acceptedAt?: number): ReminderChange =>
    ({
      version: 1,
      operation,
      id: 'schedule-1',
      ...(acceptedAt && { acceptedAt: new Date(acceptedAt).toISOString() }),
    }) as ReminderChange;

  test('leaves behind what its session had', () => {
    expect(foldReminders([])).toEqual(NO_REMINDERS);
    expect(foldReminders([first])).toEqual(armed(['p', after(10)]));
    expect(foldReminders([first, change('dispatch')])).toEqual({ created: 1, armed: [] });
    const woke = NOW + HOUR + 7_000;
    expect(foldReminders([recurring, change('dispatch', woke)])).toEqual(
      nextDelivery(armed(['p', every(300)]), woke)?.reminders,
    );
  });

  test.each<[string, ReminderChange[]]>([
    ['an id used again', [first, first]],
    ['an id left out', [create({ created: 1, armed: [] }, after(1))]],
    ['the end of one that was delivered', [first, change('dispatch'), change('delete')]],
    ['a delivery of one that was deleted', [first, change('delete'), change('dispatch')]],
    ['a one-shot delivered as if it recurred', [first, change('dispatch', NOW + HOUR)]],
    ['a recurring one delivered at no time', [recurring, change('dispatch')]],
    ['a delivery before its time', [recurring, change('dispatch', NOW)]],
  ])('that holds %s arms none', (_name, changes) => {
    expect(foldReminders(changes)).toMatchObject({ code: 'corrupt_schedule_log' });
  });
});
