const PICTURES = 0x24_00;
const DELETE = 0x7f;
/** Joiners shape emoji and scripts; every other format character is invisible or turns the text around. */
const UNSAFE = /\r\n?|[\p{Cc}\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu;

/**
 * Text that does nothing to a terminal: line feeds and tabs stay, any other control, line separator, bidirectional or
 * invisible format character is shown as a picture (␛) or as its number (<U+202E>), and half a surrogate pair as U+FFFD.
 */
export function inert(text: string): string {
  return text.toWellFormed().replaceAll(UNSAFE, picture);
}

/** The same on one line, cut to at most `length` characters. */
export function inertLine(text: string, length = 100): string {
  // More than this much of a huge text cannot be part of the line.
  const line = inert(
    text
      .slice(0, 8 * length + 64)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`;
}

function picture(match: string): string {
  if (match === '\n' || match === '\t') return match;
  if (match === '\r\n') return '\n';
  const code = match.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  if (code === DELETE) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
