import type { JsonValue } from '@everturn/core/domain';
import { errorResult, runBody, type ToolBody, type ToolExecutionResult } from '@everturn/tools/kit';
import type { RunToolInput } from '../../contract/index.ts';
import { askAround } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { callContext } from './call-context.ts';

export interface WrappedInput {
  body: ToolBody;
  args: JsonValue;
  signal: AbortSignal;
}

/** Runs a body inside the listeners that wrap it; one that throws makes an error result. */
export async function runWrapped(
  deps: ActivityDeps,
  input: RunToolInput,
  { body, args, signal }: WrappedInput,
): Promise<ToolExecutionResult> {
  const { tenant, session, turn, step, call } = input;
  const run = async (within: AbortSignal) => runBody({ body, args, context: await callContext(deps, input, within) });
  const listeners = deps.registry.view(input).listeners('tools/execute');
  if (listeners.length === 0) return run(signal);
  try {
    return await askAround<'tools/execute'>({
      listeners,
      input: { call: { callId: call.callId, name: call.name, arguments: args } },
      context: { initiator: { tenant, session, turn, step, callId: call.callId }, signal },
      body: run,
    });
  } catch (error) {
    return errorResult(error);
  }
}
