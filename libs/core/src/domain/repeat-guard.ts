import { canonicalJson } from './canonical-json.ts';
import type { JsonValue } from './json.ts';

/** How often the same call was made in a row, without another in between. */
export interface RepeatCount {
  /** Name and arguments, the same for the same call however its arguments are ordered. */
  call: string;
  count: number;
}

/** When an agent is told that it repeats itself. Names may hold `*`. */
export interface RepeatSettings {
  /** The counts at which it is told; from the second on in detail. */
  thresholds: readonly number[];
  /** Only these tools are watched; absent: all. */
  include?: readonly string[];
  /** Calls of these neither count nor interrupt a count. */
  exclude: readonly string[];
}

export interface CountedCall {
  name: string;
  arguments: JsonValue;
}

/** Longest preview of arguments in a reminder, in characters. */
const PREVIEW = 500;

/** Counts one more call, and gives the reminder that is due with it, if one is. */
export function countRepeat(
  before: RepeatCount | undefined,
  call: CountedCall,
  { thresholds, include, exclude }: RepeatSettings,
): { repeats: RepeatCount | undefined; reminder?: string } {
  const watched = !matchesAny(exclude, call.name) && (include === undefined || matchesAny(include, call.name));
  if (!watched) return { repeats: before };
  const key = `${call.name} ${canonicalJson(call.arguments)}`;
  const count = before?.call === key ? before.count + 1 : 1;
  const repeats = { call: key, count };
  const place = thresholds.toSorted((one, other) => one - other).indexOf(count);
  if (place === -1) return { repeats };
  return { repeats, reminder: place === 0 ? gentle(call, count) : detailed(call, count) };
}

const gentle = ({ name }: CountedCall, count: number): string =>
  `You have made the same call of "${name}" ${count} times in a row. If it does not bring you further, do something else.`;

function detailed({ name, arguments: args }: CountedCall, count: number): string {
  const shown = typeof args === 'string' ? args : canonicalJson(args);
  const head = shown.slice(0, PREVIEW).toWellFormed();
  const rest = shown.length - PREVIEW;
  const preview = rest > 0 ? `${head}… (+${rest} more chars)` : head;
  return [
    `You have now called "${name}" ${count} times in a row with the same arguments: ${preview}`,
    'The result will not change by asking again. Read the earlier results, change the arguments or the approach, or say what keeps you from going on.',
  ].join('\n');
}

function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    const [first = '', ...rest] = pattern.split('*');
    if (rest.length === 0) return first === name;
    const last = rest.pop() ?? '';
    if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
    let from = first.length;
    for (const part of rest) {
      const at = name.indexOf(part, from);
      if (at === -1 || at + part.length > name.length - last.length) return false;
      from = at + part.length;
    }
    return true;
  });
}
