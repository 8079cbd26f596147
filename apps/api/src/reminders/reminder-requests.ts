import { ReminderId, SessionId } from '@everturn/core/domain';
import { z } from 'zod';
import { RequestReceipt } from '../platform/schemas/receipt.ts';

/** `:id` of a session and one of its reminders. */
export const ReminderPath = z.strictObject({
  id: SessionId.describe('the session'),
  reminder: ReminderId.describe('the reminder, such as schedule-1'),
});
export type ReminderPath = z.output<typeof ReminderPath>;

const LocalTime = z.strictObject({
  date: z.string().describe('such as 2026-05-01'),
  time: z.string().describe('such as 09:00 or 09:00:30'),
  timeZone: z.string().describe('UTC or an IANA name such as Europe/Berlin'),
});

/** A reminder to be set; exactly one of the three says when. */
export const ReminderBody = z
  .strictObject({
    prompt: z.string().trim().min(1).describe('what the agent is told then'),
    afterSeconds: z.int().positive().optional().describe('once, so long from now'),
    everySeconds: z.int().min(300).optional().describe('again and again, the first time so long from now'),
    at: z
      .union([z.string(), LocalTime])
      .optional()
      .describe('once, at an instant with its offset or at a time that clocks in a time zone show'),
  })
  .refine(
    ({ afterSeconds, everySeconds, at }) =>
      [afterSeconds, everySeconds, at].filter((given) => given !== undefined).length === 1,
    { message: 'give exactly one of afterSeconds, everySeconds, at' },
  );
export type ReminderBody = z.output<typeof ReminderBody>;

/** A reminder that is still to be delivered. */
export const ReminderShape = z.strictObject({
  id: ReminderId,
  kind: z.enum(['after', 'at', 'every']),
  prompt: z.string(),
  scheduledAt: z.string().describe('its next time'),
  afterSeconds: z.int().optional(),
  everySeconds: z.int().optional(),
  state: z.enum(['scheduled', 'overdue']).describe('overdue: delivered as soon as nothing else runs'),
  deliveryMode: z.literal('session-local').describe('a closed session gets it when it is resumed'),
});
export const ReminderList = z.strictObject({ reminders: z.array(ReminderShape) });
export type ReminderList = z.output<typeof ReminderList>;

/** What became of a wish; `reminder` once the session has answered. */
export const ReminderReceipt = z.strictObject({ ...RequestReceipt.shape, reminder: ReminderShape.optional() });
export type ReminderReceipt = z.output<typeof ReminderReceipt>;
