import { ContentSchema, type JsonValue } from '@everturn/core/domain';
import { errorResult, runBody, type ToolBody, type ToolExecutionResult } from '@everturn/tools/kit';
import type { RunToolInput } from '../../contract/index.ts';
import { askAround } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { WrapperTime } from '../effects/wrapper-time.ts';
import { callContext } from './call-context.ts';
import { refuseStrayedWorkspace } from './strayed-workspace.ts';

export interface WrappedInput {
  body: ToolBody;
  args: JsonValue;
  signal: AbortSignal;
}

/** Runs a body inside the listeners that wrap it; one that throws, hangs or answers nonsense makes an error result. */
export async function runWrapped(
  deps: ActivityDeps,
  input: RunToolInput,
  { body, args, signal }: WrappedInput,
): Promise<ToolExecutionResult> {
  const { tenant, session, turn, step, call } = input;
  const run = async (within: AbortSignal) => {
    const context = await callContext(deps, input, within);
    try {
      if (body.definition.home === 'host') await refuseStrayedWorkspace(context, input);
    } catch (error) {
      return errorResult(error);
    }
    return runBody({ body, args, context });
  };
  const listeners = deps.registry.view(input).listeners('tools/execute');
  if (listeners.length === 0) return run(signal);
  const time = new WrapperTime({ point: 'tools/execute', limitMs: deps.listenerTimeoutMs });
  try {
    const asked = askAround<'tools/execute'>({
      listeners,
      input: { call: { callId: call.callId, name: call.name, arguments: args } },
      context: {
        initiator: { tenant, session, turn, step, callId: call.callId },
        signal: AbortSignal.any([signal, time.signal]),
      },
      body: (within) => time.around(() => run(within)),
    });
    return checked(await time.race(asked), call.name);
  } catch (error) {
    return errorResult(error);
  } finally {
    time.end();
  }
}

/** A plugin may be written in anything; what is no result must not get into a log. */
function checked(result: ToolExecutionResult | undefined, tool: string): ToolExecutionResult {
  if (typeof result?.isError === 'boolean' && ContentSchema.safeParse(result.content).success) return result;
  throw new TypeError(`a listener around "${tool}" answered something that is no result`);
}
