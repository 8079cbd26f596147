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

function pieces(text: string): string[] {
  if (Buffer.byteLength(text) <= ROW_TEXT_BYTES) return [text];
  const result: string[] = [];
  let piece = '';
  let bytes = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > ROW_TEXT_BYTES) {
      result.push(piece);
      piece = '';
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  return [...result, piece];
}
