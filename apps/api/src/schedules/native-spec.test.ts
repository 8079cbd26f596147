import { ScheduleDefinition, ScheduleOverlap, type ScheduleTimes } from '@everturn/core/protocol';
import { expect, test } from 'vitest';
import { nativeOverlap, nativePolicies, nativeSpec } from './native-spec.ts';

test.each<[ScheduleTimes, object]>([
  [
    { cron: ['0 9 * * MON-FRI'], timeZone: 'Europe/Berlin' },
    { cronExpressions: ['0 9 * * MON-FRI'], timezone: 'Europe/Berlin' },
  ],
  [{ calendars: [{ hour: 9, dayOfWeek: 'MONDAY' }] }, { calendars: [{ hour: 9, dayOfWeek: 'MONDAY' }] }],
  [
    { intervals: [{ everySeconds: 90, offsetSeconds: 30 }, { everySeconds: 60 }] },
    {
      intervals: [
        { every: 90_000, offset: 30_000 },
        { every: 60_000, offset: 0 },
      ],
    },
  ],
  [
    { cron: ['@daily'], jitterSeconds: 30 },
    { cronExpressions: ['@daily'], jitter: 30_000 },
  ],
  [
    { cron: ['@daily'], startAt: '2030-01-01T00:00:00+01:00', endAt: '2031-01-01T00:00:00Z' },
    { cronExpressions: ['@daily'], startAt: new Date('2029-12-31T23:00:00Z'), endAt: new Date('2031-01-01T00:00:00Z') },
  ],
])('%j', (times, spec) => expect(nativeSpec(times)).toEqual(spec));

test('each way to overlap has its own policy, and firings missed in an outage are made up for within the window', () => {
  expect(ScheduleOverlap.options.map(nativeOverlap)).toEqual([
    'SKIP',
    'BUFFER_ONE',
    'BUFFER_ALL',
    'ALLOW_ALL',
    'CANCEL_OTHER',
    'TERMINATE_OTHER',
  ]);
  const definition = ScheduleDefinition.parse({ times: { cron: ['@daily'] }, prompt: 'p', catchupWindowSeconds: 600 });
  expect(nativePolicies(definition)).toEqual({ overlap: 'SKIP', catchupWindow: 600_000 });
  const usual = ScheduleDefinition.parse({ times: { cron: ['@daily'] }, prompt: ' p ' });
  expect(usual).toMatchObject({ prompt: 'p', overlap: 'skip', catchupWindowSeconds: 60 });
});
