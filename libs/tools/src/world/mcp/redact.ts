/** Something that holds a value without showing it. */
export interface Revealable {
  reveal(): string;
}

/** Shorter values would strike by chance. */
const MIN_LENGTH = 6;

/** Takes a server's secrets out of what it says: it may print its environment or repeat a header. */
export function redactor(secrets: readonly Revealable[]): (text: string) => string {
  const values = secrets
    .flatMap((secret) => [secret.reveal(), secret.reveal().replace(/^(?:Bearer|Basic|Token) +/i, '')])
    .filter((value) => value.length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const hidden = [...new Set(values)];
  return (text) => hidden.reduce((shown, value) => shown.replaceAll(value, '[secret]'), text);
}

/** The same for every text in an answer; names of members stay. */
export function redactAll<T>(value: T, redact: (text: string) => string): T;
export function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redactAll(member, redact)]));
}

/** The values themselves, at the moment they leave. */
export const revealAll = (held: Readonly<Record<string, Revealable>>): Record<string, string> =>
  Object.fromEntries(Object.entries(held).map(([name, value]) => [name, value.reveal()]));
