import { InvalidArgumentError } from 'commander';
import type { z } from 'zod';

/** A parser for commander that takes what a schema takes and says what it refuses. */
export function parsed<T>(schema: z.ZodType<T>, name: string): (value: string) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`${name}: ${result.error.issues.map(({ message }) => message).join('; ')}`);
  };
}
