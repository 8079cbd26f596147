import { z } from 'zod';

/** A whole number in a query string, between two bounds, both included. */
export const wholeNumber = (input: { min: number; max: number }) =>
  z
    .string()
    .regex(/^-?\d{1,16}$/, `must be a whole number from ${input.min} to ${input.max}`)
    .transform(Number)
    .pipe(z.int().min(input.min).max(input.max));

/** `true` or `false`. */
export const flag = z.enum(['true', 'false'], { error: 'must be true or false' });

/** A comma-separated list without empty members. */
export const commaList = z
  .string()
  .min(1)
  .max(2_000)
  .transform((value) => value.split(','))
  .pipe(z.array(z.string().min(1, 'holds an empty member')).max(100));

/** An instant: RFC 3339 with an offset, or epoch ms; read as epoch ms. */
export const instant = z.union(
  [
    z.iso.datetime({ offset: true }).transform((value) => Date.parse(value)),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  {
    error: 'must be an RFC 3339 time with an offset, or epoch milliseconds',
  },
);
