import { z } from 'zod';
import { DomainError } from './errors.ts';
import { explainIssues } from './explain-issues.ts';
import type { AgentOptions } from './requests.ts';
import { samplingShape } from './request-schema.ts';

const options = new Map<string, z.ZodType>(
  Object.entries({
    provider: z.string().min(1).exactOptional(),
    model: z.string().min(1).exactOptional(),
    ...samplingShape,
  }),
);

/** Registers the strict validator of an option merged into `AgentOptions`. Throws `DOMAIN_DUPLICATE_VARIANT`. */
export function registerAgentOption<K extends keyof AgentOptions & string>(
  name: K,
  validator: z.ZodType<NonNullable<AgentOptions[K]>>,
): void {
  if (options.has(name))
    throw new DomainError('DOMAIN_DUPLICATE_VARIANT', `agent option "${name}" is already registered`);
  options.set(name, validator.exactOptional());
}

/** Validates agent options, refusing unknown ones; throws `DOMAIN_INVALID_OPTIONS` naming the field. */
export function parseAgentOptions(value: unknown): AgentOptions {
  const result = agentOptionsSchema().safeParse(value);
  if (result.success) return result.data;
  throw new DomainError('DOMAIN_INVALID_OPTIONS', explainIssues(result.error, 'options'), { cause: result.error });
}

/** The validator of every option registered so far, for bodies and documents built from it. */
export function agentOptionsSchema(): z.ZodType<AgentOptions> {
  // Options are merged into the type by their packages, and registered here by the same.
  return z.strictObject(Object.fromEntries(options)) as unknown as z.ZodType<AgentOptions>;
}
