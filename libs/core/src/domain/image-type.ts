import type { ImageMediaType } from './images.ts';

/** What a picture is by its first bytes, whatever its name says; `undefined` for anything else. */
export function imageTypeOf(bytes: Uint8Array): ImageMediaType | undefined {
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (ascii(0, 2) === '\xff\xd8') return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return undefined;
}
