import { z } from 'zod';
import { SessionId, Workspace, type RequestId, type TenantId } from '../domain/index.ts';
import { SessionOptions } from './session-options.ts';

/** Type name as Temporal sees it. */
export const SCHEDULED_RUN_WORKFLOW = 'scheduledRunWorkflow';
export const FIRING_WORKFLOW = 'firingWorkflow';

/** A tenant's schedule, named by who makes it. */
export const ScheduleId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'a schedule id is 1 to 64 letters, digits, . _ or -')
  .brand<'ScheduleId'>();
export type ScheduleId = z.infer<typeof ScheduleId>;

const MONTHS = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const;
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** One value, a range of them, several of either, or all. */
const field = <T extends z.ZodType<string | number>>(value: T) => {
  const range = z.strictObject({ start: value, end: value.optional(), step: z.int().positive().optional() });
  return z
    .union([
      z.literal('*'),
      value,
      range,
      z
        .array(z.union([value, range]))
        .min(1)
        .max(60),
    ])
    .optional();
};
const number = (min: number, max: number) => field(z.int().min(min).max(max));

const Calendar = z.strictObject({
  second: number(0, 59).describe('default 0'),
  minute: number(0, 59).describe('default 0'),
  hour: number(0, 23).describe('default 0'),
  dayOfMonth: number(1, 31),
  month: field(z.enum(MONTHS)),
  year: number(2000, 9999),
  dayOfWeek: field(z.enum(DAYS)),
});
const seconds = z.int().positive().max(315_360_000);

/** When a schedule fires: whenever any of these says so. */
export const ScheduleTimes = z
  .strictObject({
    cron: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .optional()
      .describe('five fields each, such as 0 9 * * MON-FRI'),
    calendars: z.array(Calendar).min(1).max(20).optional().describe('all fields of one must match'),
    intervals: z
      .array(z.strictObject({ everySeconds: seconds, offsetSeconds: z.int().nonnegative().optional() }))
      .min(1)
      .max(20)
      .optional()
      .describe('counted from the epoch'),
    jitterSeconds: seconds.optional().describe('fires at random up to so much later'),
    timeZone: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('IANA name that cron and calendars are read in; default UTC'),
    startAt: z.iso.datetime({ offset: true }).optional(),
    endAt: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(({ cron, calendars, intervals }) => Boolean(cron ?? calendars ?? intervals), {
    message: 'give at least one of cron, calendars, intervals',
  })
  .refine(({ startAt, endAt }) => !startAt || !endAt || Date.parse(startAt) < Date.parse(endAt), {
    message: 'startAt must lie before endAt',
    path: ['endAt'],
  });
export type ScheduleTimes = z.infer<typeof ScheduleTimes>;

export const ScheduleOverlap = z.enum([
  'skip',
  'buffer-one',
  'buffer-all',
  'allow-all',
  'cancel-other',
  'terminate-other',
]);
/**
 * What becomes of a firing while the turn that an earlier one began has not ended: it is left out, waits (one of them,
 * or all), goes beside it, or takes its place, once the earlier one has ended or without waiting for that.
 */
export type ScheduleOverlap = z.infer<typeof ScheduleOverlap>;

const { delegation: _ours, ...chosen } = SessionOptions.shape;

/** What a schedule is: when it fires, and what it then says to whom. */
export const ScheduleDefinition = z
  .strictObject({
    times: ScheduleTimes,
    prompt: z.string().trim().min(1).max(32_768).describe('the message of each firing'),
    session: SessionId.optional().describe('who gets it; absent: a new session each time'),
    create: z
      .strictObject({ ...chosen, workspace: Workspace.optional() })
      .optional()
      .describe('what new sessions are created with; not together with session'),
    overlap: ScheduleOverlap.default('skip').describe('while the turn of an earlier firing has not ended'),
    catchupWindowSeconds: z
      .int()
      .min(10)
      .max(31_536_000)
      .default(60)
      .describe('firings missed in an outage are made up for if they are no older'),
  })
  .refine(({ session, create }) => session === undefined || create === undefined, {
    message: 'give session or create, not both',
  });
export type ScheduleDefinition = z.infer<typeof ScheduleDefinition>;

/** What each firing of a schedule is started with; Temporal makes its workflow id, which names the firing. */
export interface ScheduledRunInput {
  tenant: TenantId;
  schedule: ScheduleId;
  definition: ScheduleDefinition;
}

/** A firing by its name, which its message keeps however often it is sent. */
export interface FiringInput extends ScheduledRunInput {
  firing: string;
}

/** What became of a firing. */
export interface ScheduledRunResult {
  session: SessionId;
  promptId: RequestId;
  /** How its message ended. */
  state: 'done' | 'discarded';
}

/** The native Schedule of a tenant's schedule; deployments that share a namespace keep theirs apart. */
export const nativeScheduleId = (tenant: TenantId, schedule: ScheduleId, queues: string): string =>
  `${schedulePrefix(tenant, queues)}${schedule}`;
/** What all of a tenant's begin with. */
export const schedulePrefix = (tenant: TenantId, queues: string): string =>
  `schedule:${queues === 'everturn' ? '' : `${queues}:`}${tenant}/`;
