const MAX_LEVELS = 20;

/** The text of an error with all its causes: levels joined by `: `, members of an aggregate as `[a; b]`. */
export function errorChain(error: unknown): string {
  return describe(error, new Set());
}

function describe(error: unknown, seen: Set<unknown>): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if (seen.has(error) || seen.size >= MAX_LEVELS) return '…';
  seen.add(error);
  const { message, cause, errors } = error as { message?: unknown; cause?: unknown; errors?: unknown };
  const levels = [
    typeof message === 'string' ? message : plain(error),
    ...(Array.isArray(errors) ? [`[${errors.map((member) => describe(member, seen)).join('; ')}]`] : []),
    ...(cause === undefined ? [] : [describe(cause, seen)]),
  ];
  return levels.filter((level) => level !== '').join(': ');
}

function plain(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
