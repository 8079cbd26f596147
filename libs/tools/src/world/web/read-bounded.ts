/** As much of a body as was wanted. */
export interface BoundedBody {
  bytes: Uint8Array;
  truncated: boolean;
}

/** At most `maxBytes` of a body, which is read no further than that and then closed. Throws what reading throws. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null | undefined,
  maxBytes: number,
): Promise<BoundedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the body, and with it its connection.
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) return { bytes: Buffer.concat(chunks), truncated: true };
  }
  return { bytes: Buffer.concat(chunks), truncated: false };
}
