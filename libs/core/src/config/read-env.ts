import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { withoutBlanks } from './fields.ts';

/** Reads the named variables, or throws `CONFIG_INVALID` naming every wrong one with its remedy (never its value). */
export function readEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  source: NodeJS.ProcessEnv,
): z.output<z.ZodObject<Shape>> {
  const values = withoutBlanks(source);
  const parsed = z.object(shape).safeParse(values);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${name} ${name in values ? 'is wrong' : 'is not set'}: ${issue.message}`;
  });
  throw new ConfigError('CONFIG_INVALID', [...new Set(lines)].join('\n'));
}

/** Freezes a configuration all the way down; secrets are frozen by themselves. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
