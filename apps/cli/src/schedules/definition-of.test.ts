import { ScheduleDefinition } from '@everturn/core/protocol';
import { expect, test } from 'vitest';
import { definitionOf } from './definition-of.ts';
import { reminderBody } from './reminder-body.ts';

const sent = (value: object): unknown => JSON.parse(JSON.stringify(value));

test('what was typed becomes a definition that the API takes', () => {
  const definition = sent(
    definitionOf('report', {
      cron: ['0 9 * * *', '@daily'],
      every: ['3600'],
      calendar: ['{"hour": 9, "dayOfWeek": "MONDAY"}'],
      timeZone: 'Europe/Berlin',
      jitter: '30',
      start: '2030-01-01T00:00:00Z',
      end: '2031-01-01T00:00:00+02:00',
      workspace: '/work',
      model: 'm',
      overlap: 'cancel-other',
      catchUp: '600',
    }),
  );
  expect(definition).toEqual({
    times: {
      cron: ['0 9 * * *', '@daily'],
      intervals: [{ everySeconds: 3_600 }],
      calendars: [{ hour: 9, dayOfWeek: 'MONDAY' }],
      timeZone: 'Europe/Berlin',
      jitterSeconds: 30,
      startAt: '2030-01-01T00:00:00Z',
      endAt: '2031-01-01T00:00:00+02:00',
    },
    prompt: 'report',
    create: { workspace: '/work', model: 'm' },
    overlap: 'cancel-other',
    catchupWindowSeconds: 600,
  });
  expect(ScheduleDefinition.safeParse(definition).success).toBe(true);
});

test('what was left out is left to the API', () => {
  const definition = sent(definitionOf('report', { cron: ['* * * * *'], session: 's' }));
  expect(definition).toEqual({ times: { cron: ['* * * * *'] }, prompt: 'report', session: 's' });
});

test.each([
  [{ after: '60' }, { afterSeconds: 60 }],
  [{ every: '300' }, { everySeconds: 300 }],
  [{ at: '2030-01-01T00:00:00Z' }, { at: '2030-01-01T00:00:00Z' }],
  [
    { at: '2030-05-01T09:00', timeZone: 'Europe/Berlin' },
    { at: { date: '2030-05-01', time: '09:00', timeZone: 'Europe/Berlin' } },
  ],
])('a reminder %j', (options, when) => expect(sent(reminderBody('p', options))).toEqual({ prompt: 'p', ...when }));
