/** Beyond this many places nobody reads on, and one repeated letter would take for ever. */
const MAX_PLACES = 100;

/** Where a text stands, overlapping places included: the offset of the first, and the line of each, from 1. */
export function placesOf(text: string, wanted: string): { first: number | undefined; lines: number[] } {
  const lines: number[] = [];
  let first: number | undefined;
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(wanted); at !== -1 && lines.length < MAX_PLACES; at = text.indexOf(wanted, at + 1)) {
    first ??= at;
    for (let end = text.indexOf('\n', counted); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
      line += 1;
      counted = end + 1;
    }
    lines.push(line);
  }
  return { first, lines };
}
