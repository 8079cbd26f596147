import { snapshotJson, type HookContext, type JsonValue } from '@everturn/core/domain';
import { boundResult } from './bound-result.ts';
import { startDeadline, type Deadline } from './deadline.ts';
import type { ToolBody } from './define-tool.ts';
import { checkOutput } from './check-output.ts';
import type { ToolCallContext } from './tool-context.ts';
import { ToolError } from './tool-error.ts';
import { abortedResult, errorResult, type ToolExecutionResult } from './tool-result.ts';

export interface RunCallInput {
  body: ToolBody;
  /** Parsed arguments; the raw text where it was not JSON. */
  args: unknown;
  context: ToolCallContext;
  warn?(message: string, cause: unknown): void;
}

/**
 * The part of a call that policy has let through: body, deadline, cancellation, bounding, and a lossless
 * frozen result. Never throws. Where post-execute policies exist, call {@link runBody} instead, let them
 * decide, and then {@link boundResult} and {@link settleResult}.
 */
export async function runCall(input: RunCallInput): Promise<ToolExecutionResult> {
  const { body, context } = input;
  const result = await runBody(input);
  const { maxInlineBytes } = context.settings;
  if (maxInlineBytes === undefined || context.parent !== undefined) return settleResult(result);
  return settleResult(
    await boundResult({
      tool: body.definition.name,
      result,
      session: context.initiator.session,
      spill: context.ports.spill,
      maxInlineBytes,
      ...(input.warn && { warn: input.warn }),
    }),
  );
}

/** Runs the body under its deadline and answers as policies see it: unbounded, contexts of the body included. */
export async function runBody(input: RunCallInput): Promise<ToolExecutionResult> {
  const { body, context } = input;
  if (context.signal.aborted) return abortedResult('before-dispatch');
  const contexts: HookContext[] = [];
  const deadline = startDeadline(context.signal, body.definition.timeoutMs);
  try {
    const result = await settleBody(input, deadline, contexts);
    return contexts.length > 0 ? { ...result, additionalContexts: contexts } : result;
  } finally {
    deadline.stop();
  }
}

async function settleBody(
  { body, args, context }: RunCallInput,
  deadline: Deadline,
  contexts: HookContext[],
): Promise<ToolExecutionResult> {
  let result: ToolExecutionResult;
  try {
    const output = await body.execute(snapshotArguments(args), {
      ...context,
      signal: deadline.signal,
      deferContext: (added) => void contexts.push(added),
    });
    if (body.definition.output) checkOutput(body.definition.name, body.definition.output, output.value);
    const { content, meta, value, events } = output;
    const nested = context.parent !== undefined;
    result = {
      content,
      isError: false,
      ...(!nested && meta !== undefined && { meta }),
      ...(nested && value !== undefined && { value }),
      ...(events && { events }),
    };
  } catch (error) {
    result = errorResult(error);
  }
  // Whichever came first explains the outcome: a late cancel does not hide an expired budget, nor the reverse.
  if (deadline.firstCause() === 'deadline') {
    const { timeoutMs } = body.definition;
    return errorResult(new ToolError('TOOL_TIMEOUT', `tool call timed out after ${timeoutMs}ms`));
  }
  return context.signal.aborted && !result.isError ? abortedResult('running') : result;
}

/** Detaches and freezes the arguments; `-0`, `NaN`, holes and the like fail before validation and body. */
export function snapshotArguments(args: unknown): JsonValue {
  try {
    return snapshotJson(args, 'arguments');
  } catch (cause) {
    throw new Error('tool execution arguments must be losslessly JSON-serializable', { cause });
  }
}

/** The result as it may be stored: lossless JSON, deeply frozen; what cannot be becomes an error result. */
export function settleResult(result: ToolExecutionResult): ToolExecutionResult {
  try {
    // A frozen copy of what it was given.
    return snapshotJson(result, 'result') as unknown as ToolExecutionResult;
  } catch (cause) {
    return errorResult(new Error('tool execution result must be losslessly JSON-serializable', { cause }));
  }
}
