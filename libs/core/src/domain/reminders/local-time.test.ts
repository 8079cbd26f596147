import { describe, expect, test } from 'vitest';
import { resolveLocalTime } from './local-time.ts';

const resolve = (date: string, time: string, timeZone: string) => {
  const found = resolveLocalTime({ date, time, timeZone });
  return typeof found === 'number' ? new Date(found).toISOString() : found.code;
};

describe('a local time', () => {
  test.each([
    ['2026-07-01', '09:00', 'UTC', '2026-07-01T09:00:00.000Z'],
    ['2026-07-01', '09:00:30.25', 'Europe/Berlin', '2026-07-01T07:00:30.250Z'],
    ['2026-01-01', '09:00', 'US/Eastern', '2026-01-01T14:00:00.000Z'],
    ['2026-01-01', '09:00', 'Asia/Kathmandu', '2026-01-01T03:15:00.000Z'],
    ['2026-06-01', '00:00', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z'],
    ['2026-06-01', '23:59:59', 'Pacific/Pago_Pago', '2026-06-02T10:59:59.000Z'],
    ['1800-01-01', '00:00', 'America/New_York', '1800-01-01T04:56:02.000Z'],
    ['0001-01-01', '12:00', 'UTC', '0001-01-01T12:00:00.000Z'],
  ])('%s %s in %s', (date, time, zone, instant) => {
    expect(resolve(date, time, zone)).toBe(instant);
  });

  test('that clocks show twice is the earlier one', () => {
    expect(resolve('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    expect(resolve('2026-10-25', '02:00', 'Europe/Berlin')).toBe('2026-10-25T00:00:00.000Z');
    expect(resolve('2026-04-05', '01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z');
  });

  test.each([
    ['2026-03-08', '02:30', 'America/New_York'],
    ['2026-03-29', '02:00', 'Europe/Berlin'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe'],
    ['2011-12-30', '12:00', 'Pacific/Apia'],
  ])('that clocks skip is none: %s %s in %s', (date, time, zone) => {
    expect(resolve(date, time, zone)).toBe('invalid_rule');
  });

  test.each(['CST', 'GMT', '+08:00', ' UTC', 'UTC ', '', 'Mars/Olympus', 'Europe/', 'EST5EDT'])(
    'of no zone: %j',
    (zone) => {
      expect(resolve('2026-07-01', '09:00', zone)).toBe('invalid_time_zone');
    },
  );

  test.each([
    ['2026-02-29', '09:00'],
    ['2026-7-1', '09:00'],
    ['2026-07-01', '9:00'],
    ['2026-07-01', '24:00'],
    ['2026-07-01', '09:60'],
    ['0000-07-01', '09:00'],
  ])('that no clock shows: %s %s', (date, time) => {
    expect(resolve(date, time, 'UTC')).toBe('invalid_rule');
  });
});
