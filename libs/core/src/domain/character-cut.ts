const encoder = new TextEncoder();

/** The longest beginning of a text that takes at most `maxBytes` as UTF-8 and splits no character. */
export function characterCut(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
