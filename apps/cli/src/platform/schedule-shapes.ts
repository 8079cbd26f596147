import { z } from 'zod';

// Only what this program reads; members that later versions add are kept and passed on by --json.

/** A schedule and how it stands. */
export const Schedule = z.looseObject({
  id: z.string(),
  definition: z.looseObject({ prompt: z.string(), session: z.string().optional(), overlap: z.string() }),
  paused: z.boolean(),
  note: z.string().optional(),
  firings: z.number(),
  skipped: z.number(),
  running: z.array(z.string()),
  recent: z.array(z.looseObject({ scheduledAt: z.string(), startedAt: z.string(), workflowId: z.string() })),
  next: z.array(z.string()),
});
export type Schedule = z.infer<typeof Schedule>;

export const ScheduleList = z.looseObject({
  schedules: z.array(
    z.looseObject({ id: z.string(), paused: z.boolean(), note: z.string().optional(), next: z.array(z.string()) }),
  ),
});

/** What a session is still to be reminded of. */
export const Reminder = z.looseObject({
  id: z.string(),
  prompt: z.string(),
  scheduledAt: z.string(),
  everySeconds: z.number().optional(),
  state: z.string(),
});
export const ReminderList = z.looseObject({ reminders: z.array(Reminder) });
export const ReminderReceipt = z.looseObject({ requestId: z.string(), reminder: Reminder.optional() });

/** Where one schedule, or a part of it, is found. */
export const schedulePath = (schedule: string, part = ''): string =>
  `/v1/schedules/${encodeURIComponent(schedule)}${part && `/${part}`}`;
