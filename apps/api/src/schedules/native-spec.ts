import type { ScheduleDefinition, ScheduleOverlap, ScheduleTimes } from '@everturn/core/protocol';
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';

type NativeSpec = ScheduleOptions['spec'];
type NativePolicies = NonNullable<ScheduleOptions['policies']>;

const OVERLAP: Record<ScheduleOverlap, ScheduleOverlapPolicy> = {
  skip: ScheduleOverlapPolicy.SKIP,
  'buffer-one': ScheduleOverlapPolicy.BUFFER_ONE,
  'buffer-all': ScheduleOverlapPolicy.BUFFER_ALL,
  'allow-all': ScheduleOverlapPolicy.ALLOW_ALL,
  'cancel-other': ScheduleOverlapPolicy.CANCEL_OTHER,
  'terminate-other': ScheduleOverlapPolicy.TERMINATE_OTHER,
};

/** What becomes of a firing beside an earlier one, in Temporal's words. */
export const nativeOverlap = (overlap: ScheduleOverlap): ScheduleOverlapPolicy => OVERLAP[overlap];

/** When a schedule fires, in Temporal's words. */
export function nativeSpec(times: ScheduleTimes): NativeSpec {
  const { cron, calendars, intervals, jitterSeconds, timeZone, startAt, endAt } = times;
  const spec = {
    ...(cron && { cronExpressions: cron }),
    ...(calendars && { calendars }),
    ...(intervals && {
      intervals: intervals.map(({ everySeconds, offsetSeconds = 0 }) => ({
        every: everySeconds * 1000,
        offset: offsetSeconds * 1000,
      })),
    }),
    ...(jitterSeconds !== undefined && { jitter: jitterSeconds * 1000 }),
    ...(timeZone !== undefined && { timezone: timeZone }),
    ...(startAt !== undefined && { startAt: new Date(startAt) }),
    ...(endAt !== undefined && { endAt: new Date(endAt) }),
  };
  return spec as NativeSpec; // members that may be absent are absent, which its type cannot say
}

/** What holds between firings, in Temporal's words. */
export const nativePolicies = ({ overlap, catchupWindowSeconds }: ScheduleDefinition): NativePolicies => ({
  overlap: nativeOverlap(overlap),
  catchupWindow: catchupWindowSeconds * 1000,
});
