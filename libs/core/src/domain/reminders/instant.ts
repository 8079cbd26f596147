import { reminderError, type ReminderError } from './reminder-error.ts';

const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an instant has a year of four digits. */
export const isInRange = (at: number): boolean => at >= EARLIEST && at <= LATEST;

/** A wall clock's reading. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/;
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)(Z|[+-]\d\d:\d\d)$/;

/** Reads `YYYY-MM-DDTHH:mm:ss[.1-3 digits](Z|±HH:MM)` as epoch ms; whether it lies ahead is not asked. */
export function parseInstant(value: string): number | ReminderError {
  const match = WITH_OFFSET.exec(value);
  if (!match) return malformed(value);
  const [, date = '', time = '', zone = ''] = match;
  const wall = parseWallTime(date, time);
  const offset = offsetOf(zone);
  if (!wall || offset === undefined) return malformed(value);
  return atUtc(wall) - offset;
}

/** Reads a date and a time of day; `undefined` when the calendar or the clock has no such reading. */
export function parseWallTime(date: string, time: string): WallTime | undefined {
  const [, year, month, day] = DATE.exec(date) ?? [];
  const [, hour, minute, second = '0', fraction = '0'] = TIME.exec(time) ?? [];
  if (year === undefined || hour === undefined) return undefined;
  const wall: WallTime = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0')),
  };
  return wall.year > 0 && wallTimeOf(atUtc(wall), wall) ? wall : undefined;
}

/** The instant at which a clock in UTC reads so. */
export function atUtc({ year, month, day, hour, minute, second, millisecond }: WallTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, millisecond);
}

/** Numbers past their ends carry over, so a reading that is none comes back as another. */
function wallTimeOf(at: number, { month, day, hour, minute, second }: WallTime): boolean {
  const date = new Date(at);
  return (
    date.getUTCMonth() + 1 === month &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  );
}

/** In ms; `-00:00` means that nobody knows. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (zone === '-00:00' || hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const malformed = (value: string): ReminderError =>
  reminderError(
    'invalid_rule',
    `"at" is no instant with an offset, such as 2026-05-01T09:00:00+02:00: ${JSON.stringify(value)}`,
  );
