import { readFile } from 'node:fs/promises';

/** From this many bytes on a file's former text is not kept for comparison. */
export const MAX_BASIS_BYTES = 10 * 1024 * 1024;

/** The text a file held, LF line ends, without its mark; null for what is not text, too big, or gone meanwhile. */
export async function textBasis(identity: string, sizeBytes: number): Promise<string | null> {
  if (sizeBytes >= MAX_BASIS_BYTES) return null;
  const bytes = await readFile(identity).catch(() => undefined);
  if (!bytes || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}
