import { ScheduleDefinition, ScheduleId, ScheduleOverlap } from '@everturn/core/protocol';
import { z } from 'zod';

/** `:schedule` of the caller's tenant. */
export const SchedulePath = z.strictObject({ schedule: ScheduleId.describe('the schedule, as its maker named it') });
export type SchedulePath = z.output<typeof SchedulePath>;

const note = z.string().max(500).optional().describe('why, for people');

/** A schedule to be made. */
export const CreateSchedule = z.strictObject({
  id: ScheduleId,
  definition: ScheduleDefinition,
  paused: z.boolean().default(false).describe('made, but fires only when told to'),
  note,
});
export type CreateSchedule = z.output<typeof CreateSchedule>;

/** What shall be changed: the whole of what it is. */
export const ChangeSchedule = z.strictObject({ definition: ScheduleDefinition });
export type ChangeSchedule = z.output<typeof ChangeSchedule>;

export const Note = z.strictObject({ note }).default({});
export type Note = z.output<typeof Note>;

/** Fire now, whatever its times say. */
export const Trigger = z.strictObject({ overlap: ScheduleOverlap.optional().describe('default: its own') }).default({});
export type Trigger = z.output<typeof Trigger>;

const instant = z.iso.datetime({ offset: true });

/** Fire as it would have in a time that is past. */
export const Backfill = z
  .strictObject({
    start: instant,
    end: instant,
    overlap: ScheduleOverlap.default('buffer-all').describe('one after the other by default'),
  })
  .refine(({ start, end }) => Date.parse(start) < Date.parse(end), { message: 'start must lie before end' });
export type Backfill = z.output<typeof Backfill>;

const Firing = z.strictObject({
  scheduledAt: z.string().describe('the time it was for'),
  startedAt: z.string(),
  workflowId: z.string(),
});

export const ScheduleView = z.strictObject({
  id: ScheduleId,
  definition: ScheduleDefinition,
  paused: z.boolean(),
  note: z.string().optional(),
  firings: z.int().describe('how often it has fired'),
  skipped: z.int().describe('firings that an earlier one kept from beginning'),
  running: z
    .array(z.string())
    .describe('workflow ids of firings whose turn has not ended; with allow-all none are listed'),
  recent: z.array(Firing),
  next: z.array(z.string()).describe('when it will fire, at most ten times'),
});
/** A schedule and how it stands. */
export type ScheduleView = z.output<typeof ScheduleView>;

export const ScheduleList = z.strictObject({
  schedules: z.array(
    z.strictObject({ id: ScheduleId, paused: z.boolean(), note: z.string().optional(), next: z.array(z.string()) }),
  ),
});
export type ScheduleList = z.output<typeof ScheduleList>;
