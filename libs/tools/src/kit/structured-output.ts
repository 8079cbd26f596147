import { text, validateArguments, type JsonObject, type JsonValue } from '@everturn/core/domain';
import type { ToolDefinition } from './define-tool.ts';
import type { Orchestration } from './orchestrate-tool.ts';
import { snapshotArguments } from './run-call.ts';
import { ToolError } from './tool-error.ts';
import { denialResult, errorResult, type ToolExecutionResult } from './tool-result.ts';

/** The tool by which an agent gives its result as data; only agents that were asked for data have it. */
export const OUTPUT_TOOL = 'structured_output';

/** Declares it: its parameters are the schema the agent was given. */
export const outputTool = (schema: JsonObject): ToolDefinition => ({
  name: OUTPUT_TOOL,
  description:
    'Records the result of your work as data and ends it. Call it once, when you are done, with everything that was asked for; calls after it in the same message are not executed.',
  parameters: schema as unknown as ToolDefinition['parameters'], // an object schema, as was checked before it got here
  home: 'workflow',
  effect: 'idempotent',
  readOnly: true,
  promptSection: {
    name: 'subagent:structured-output',
    order: 190,
    text: `Your result is data: when you are done call ${OUTPUT_TOOL} with it. Text alone is no result.`,
  },
});

/** Its body: data that fits ends the turn, other data may be corrected. The event counts once the call has succeeded. */
export const recordOutput = (schema: JsonObject): Orchestration => ({
  definition: outputTool(schema),
  async orchestrate(args) {
    try {
      const value = snapshotArguments(args);
      const violations = validateArguments(schema, value);
      if (violations.length > 0) throw new ToolError('INVALID_ARGS', `invalid arguments: ${violations.join('; ')}`);
      return { events: [], result: recordedResult(value) };
    } catch (error) {
      return { events: [], result: errorResult(error) };
    }
  },
});

const recordedResult = (value: JsonValue) => ({
  content: [text('Structured output recorded.')],
  isError: false,
  concludesTurn: true,
  events: [{ type: 'subagent/output' as const, data: { value } }],
});

/** What is said of a call after the one that gave the result. */
export const tooLateResult = (name: string): ToolExecutionResult =>
  denialResult(`the output has been recorded already: ${name} was not executed`);
