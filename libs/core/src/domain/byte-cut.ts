/** As much of a text as fits into so many bytes of UTF-8, no code point in half. */
export function cutBytes(value: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const point of value) {
    bytes += bytesOf(point);
    if (bytes > maxBytes) break;
    kept += point;
  }
  return kept;
}

/** The bytes of a text in UTF-8. */
export function byteLength(value: string): number {
  let bytes = 0;
  for (const point of value) bytes += bytesOf(point);
  return bytes;
}

function bytesOf(point: string): number {
  const code = point.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
}
