import { snapshotJson, validateArguments } from '@everturn/core/domain';
import type { ValueSchema } from './json-schema.ts';
import { ToolError } from './tool-error.ts';

/** Throws `INVALID_TOOL_OUTPUT` when a body's canonical value breaks its own schema; its effects have happened. */
export function checkOutput(tool: string, schema: ValueSchema, value: unknown): void {
  let violations: readonly string[];
  try {
    violations = validateArguments(schema, snapshotJson(value, 'output'));
  } catch (cause) {
    violations = [cause instanceof Error ? cause.message : String(cause)];
  }
  if (violations.length > 0)
    throw new ToolError('INVALID_TOOL_OUTPUT', `tool "${tool}" returned invalid output: ${violations.join('; ')}`);
}
