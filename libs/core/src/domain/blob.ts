import { z } from 'zod';
import { BlobId } from './ids.ts';

/** Stands for a value kept in `blobs`; its bytes are the value's canonical JSON. */
export const BlobRef = z.strictObject({ $blob: BlobId, bytes: z.int().nonnegative() });
export type BlobRef = z.infer<typeof BlobRef>;

/** A value, or the reference it travels as above {@link INLINE_LIMIT_BYTES}. */
export type MaybeRef<T> = T | BlobRef;

/** Above this many UTF-8 bytes a value travels through Temporal as a reference. */
export const INLINE_LIMIT_BYTES = 32 * 1024;

/** Tells a reference from an inline value. */
export function isBlobRef(value: unknown): value is BlobRef {
  return typeof value === 'object' && value !== null && '$blob' in value;
}
