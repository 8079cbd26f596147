import { z } from 'zod';

/** A count, number or sequence number: a safe integer ≥ 0. */
export const Natural = z.int().nonnegative();
/** A turn or step number, counted from 1. */
export const Ordinal = z.int().positive();
