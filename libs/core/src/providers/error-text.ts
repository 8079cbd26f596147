/** The whole cause chain of an error as one line: levels joined by `: `, members of an aggregate as `[a; b]`. */
export function errorText(error: unknown): string {
  const levels: string[] = [];
  const seen = new Set<unknown>();
  for (let level = error; level !== undefined && level !== null && !seen.has(level); level = causeOf(level)) {
    seen.add(level);
    const text = levelText(level);
    if (text && text !== levels.at(-1)) levels.push(text);
  }
  return levels.join(': ') || 'unknown error';
}

function levelText(level: unknown): string {
  if (!(level instanceof Error)) return String(level);
  const members = level instanceof AggregateError ? `[${level.errors.map(errorText).join('; ')}]` : '';
  return [level.message || (members ? '' : level.name), members].filter(Boolean).join(' ');
}

function causeOf(level: unknown): unknown {
  return level instanceof Error ? level.cause : undefined;
}
