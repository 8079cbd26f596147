import type { ColumnType, JSONColumnType } from 'kysely';

/** A time the database sets by its own clock. */
export type ClockColumn = ColumnType<Date, Date | undefined, Date>;
/** A derived value kept as jsonb, which must hold no free text that jsonb refuses. */
export type DerivedColumn<T extends object | null> = JSONColumnType<T, string | undefined>;

/** Text as Postgres can store it: NUL and lone surrogates become U+FFFD. For derived columns; the log keeps exact text. */
export function storableText(value: string): string {
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** A value with every text in it made storable, for derived jsonb columns. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'string') return storableText(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([key, inner]) => [storableText(key), inner]));
  });
}
