/** The same JSON value with every half character replaced: one of them makes a whole request invalid UTF-8. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member)]),
  ) as T;
}
