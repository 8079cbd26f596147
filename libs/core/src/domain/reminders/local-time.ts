import { atUtc, parseWallTime, type WallTime } from './instant.ts';
import { reminderError, type ReminderError } from './reminder-error.ts';

/** A time as a wall clock somewhere shows it. */
export interface LocalTime {
  date: string;
  time: string;
  timeZone: string;
}

const ZONE = /^(?:UTC|[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/;
const DAY_MS = 86_400_000;

/**
 * The instant in epoch ms at which a clock in the zone shows it; the earlier one where it does so twice. Depends on the
 * time zone data of the machine, so workflow code must not call it.
 */
export function resolveLocalTime({ date, time, timeZone }: LocalTime): number | ReminderError {
  const clock = ZONE.test(timeZone) ? clockOf(timeZone) : undefined;
  if (!clock) {
    const known = 'give UTC or an IANA name such as Europe/Berlin';
    return reminderError('invalid_time_zone', `"at.time_zone" ${JSON.stringify(timeZone)} is unknown: ${known}`);
  }
  const wall = parseWallTime(date, time);
  if (!wall) {
    const given = JSON.stringify({ date, time });
    return reminderError('invalid_rule', `"at" needs a date YYYY-MM-DD and a time HH:mm[:ss] that exist, not ${given}`);
  }
  const found = instantsOf(wall, clock);
  if (found !== undefined) return found;
  return reminderError('invalid_rule', `"at": clocks in ${timeZone} skip ${date} ${time}`);
}

/** What the zone's offset may be around that time says which instants can be meant. */
function instantsOf(wall: WallTime, offsetAt: (at: number) => number): number | undefined {
  const asUtc = atUtc(wall);
  const candidates = [asUtc - DAY_MS, asUtc, asUtc + DAY_MS].map((near) => asUtc - offsetAt(near));
  const meant = candidates.filter((at) => at + offsetAt(at) === asUtc);
  return meant.length > 0 ? Math.min(...meant) : undefined;
}

/** How far the zone's clocks are ahead of UTC at an instant, in ms; `undefined` for a zone nobody knows. */
function clockOf(timeZone: string): ((at: number) => number) | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const number = (name: Intl.DateTimeFormatPartTypes) => Number(parts[name]);
    const year = String(parts['era']).startsWith('B') ? 1 - number('year') : number('year');
    const wall = { year, month: number('month'), day: number('day'), hour: number('hour') };
    const shown = atUtc({ ...wall, minute: number('minute'), second: number('second'), millisecond: 0 });
    return shown - Math.floor(at / 1000) * 1000;
  };
}
