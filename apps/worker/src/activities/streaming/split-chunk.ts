import type { StreamChunk } from '@everturn/core/domain';

/** The most UTF-8 bytes of text one chunk row holds. */
export const ROW_TEXT_BYTES = 4_096;

/**
 * Cuts a delta too long for one row into several that say the same; other chunks pass unchanged.
 * Never cuts a character, so each row is well-formed by itself.
 */
export function splitChunk(chunk: StreamChunk): StreamChunk[] {
  switch (chunk.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return pieces(chunk.text).map((text) => ({ ...chunk, text }));
    case 'tool-call-delta':
      return pieces(chunk.argumentsDelta).map((argumentsDelta) => ({ ...chunk, argumentsDelta }));
    default:
      return [chunk];
  }
}

/** Slices, not characters: ten million of those would keep the process from everything else for seconds. */
function pieces(text: string): string[] {
  if (Buffer.byteLength(text) <= ROW_TEXT_BYTES) return [text];
  const result: string[] = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = endOfPiece(text, from);
    result.push(text.slice(from, to));
  }
  return result;
}

function endOfPiece(text: string, from: number): number {
  let to = Math.min(from + ROW_TEXT_BYTES, text.length);
  for (;;) {
    if (partsPair(text, to)) to -= 1;
    const bytes = Buffer.byteLength(text.slice(from, to));
    if (bytes <= ROW_TEXT_BYTES) return to;
    to = from + Math.floor(((to - from) * ROW_TEXT_BYTES) / bytes);
  }
}

/** Whether a cut there would leave two halves of one character. */
const partsPair = (text: string, at: number): boolean => at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xffff;
