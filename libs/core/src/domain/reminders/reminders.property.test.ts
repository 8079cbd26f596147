import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerReminders } from './answer-reminders.ts';
import { nextDelivery } from './deliver-reminders.ts';
import { foldReminders } from './fold-reminders.ts';
import { isReminderError } from './reminder-error.ts';
import type { ReminderChange } from './reminder-events.ts';
import { NO_REMINDERS, type ReminderRule, type Reminders } from './reminder.ts';

const START = Date.UTC(2026, 0, 1);
const rule: fc.Arbitrary<ReminderRule> = fc.oneof(
  fc.record({ kind: fc.constant('after' as const), afterSeconds: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ kind: fc.constant('at' as const), at: fc.integer({ min: START, max: START + 90_000_000 }) }),
  fc.record({ kind: fc.constant('every' as const), everySeconds: fc.integer({ min: 300, max: 10_000 }) }),
);
const step = fc.record({
  what: fc.constantFrom('create', 'create', 'delete', 'deliver', 'deliver'),
  rule,
  id: fc.integer({ min: 1, max: 8 }),
  later: fc.integer({ min: 0, max: 5_000_000 }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A life of reminders, and what its log says. */
function live(steps: readonly Step[]): { log: ReminderChange[]; reminders: Reminders; at: number } {
  const log: ReminderChange[] = [];
  let reminders = NO_REMINDERS;
  let now = START;
  for (const { what, rule: wanted, id, later } of steps) {
    now += later;
    if (what === 'deliver') {
      const delivery = nextDelivery(reminders, now);
      if (!delivery) continue;
      for (const { at } of delivery.occurrences) expect(at).toBeLessThanOrEqual(now);
      for (const { dueAt, reminder } of delivery.reminders.armed)
        if (delivery.occurrences.some((occurrence) => occurrence.id === reminder.id))
          expect(dueAt).toBeGreaterThan(now);
      log.push(...delivery.changes);
      reminders = delivery.reminders;
      continue;
    }
    const request =
      what === 'create'
        ? { operation: 'create' as const, prompt: 'look', rule: wanted }
        : { operation: 'delete' as const, id: `schedule-${id}` };
    const { change } = answerReminders(reminders, request, now);
    if (!change) continue;
    log.push(change.event);
    reminders = change.reminders;
  }
  return { log, reminders, at: now };
}

test('what a log is folded to is what was alive when it was written', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { log, reminders } = live(steps);
      expect(foldReminders(log)).toEqual(reminders);
    }),
  );
});

test('ids are never given twice, whatever became of the first of that name', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ids = live(steps).log.flatMap((change) => (change.operation === 'create' ? [change.schedule.id] : []));
      expect(ids).toEqual(ids.map((_id, n) => `schedule-${n + 1}`));
    }),
  );
});

test('a log that lost, doubled or swapped changes arms what they allow, or nothing, and never throws', () => {
  const damage = fc.record({ at: fc.nat(), how: fc.constantFrom('lose', 'double', 'swap') });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), damage, (steps, { at, how }) => {
      const { log } = live(steps);
      if (log.length === 0) return;
      const place = at % log.length;
      const [hit, next] = [log[place] as ReminderChange, log[place + 1]];
      const damaged =
        how === 'lose'
          ? log.toSpliced(place, 1)
          : how === 'double'
            ? log.toSpliced(place, 0, hit)
            : log.toSpliced(place, 2, ...(next ? [next] : []), hit);
      const folded = foldReminders(damaged);
      if (isReminderError(folded)) expect(folded.code).toBe('corrupt_schedule_log');
      else expect(folded.armed.length).toBeLessThanOrEqual(folded.created);
    }),
  );
});
