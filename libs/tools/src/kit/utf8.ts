const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How many bytes a text takes as UTF-8. */
export const utf8Length = (value: string): number => encoder.encode(value).length;

/** Whether the byte continues a character that began before it. */
const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The longest beginning of at most `maxBytes` bytes that splits no character. */
export function headBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  let end = Math.max(0, maxBytes);
  for (let back = 0; back < 3 && end > 0 && continues(bytes[end]); back++) end--;
  return bytes.subarray(0, continues(bytes[end]) ? maxBytes : end);
}

/** The longest end of at most `maxBytes` bytes that splits no character. */
export function tailBytes(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  let start = bytes.length - Math.max(0, maxBytes);
  for (let forward = 0; forward < 3 && continues(bytes[start]); forward++) start++;
  return bytes.subarray(start);
}

/** The text of at most `maxBytes` bytes from the beginning, no character split. */
export const utf8Head = (value: string, maxBytes: number): string =>
  decoder.decode(headBytes(encoder.encode(value), maxBytes));

/** The text of at most `maxBytes` bytes from the end, no character split. */
export const utf8Tail = (value: string, maxBytes: number): string =>
  decoder.decode(tailBytes(encoder.encode(value), maxBytes));

/** At most `maxLength` UTF-16 units from the beginning, never half of a surrogate pair. */
export function characterHead(value: string, maxLength: number): string {
  if (value.length <= maxLength) return value;
  const last = value.charCodeAt(maxLength - 1);
  return value.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength);
}
