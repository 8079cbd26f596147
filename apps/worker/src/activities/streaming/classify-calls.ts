import { isCutOff, parseArguments, type ContentBlock, type ToolCallBlock } from '@everturn/core/domain';
import { asksForBackground, checkArguments, classifyCall, fieldsOf, type ToolDefinition } from '@everturn/tools/kit';
import type { RequestedCall } from '../../contract/index.ts';
import type { RegistryView } from '../../plugins/index.ts';

/** A tool call with its arguments as they are; the caller makes references of long ones. */
export type ClassifiedCall = Omit<RequestedCall, 'arguments'> & { arguments: string };

/** What the model reads for a call whose arguments stop in the middle; half of them must never run. */
export const CUT_OFF =
  'invalid arguments: the call was cut off before its arguments were complete, so it did not run. ' +
  'Make the call again with complete arguments; split the work into several calls if they are long.';

/** Characters of a call that a person is still asked to judge. */
const LONGEST_OPERATION = 2_000;

/** What the scheduler must know of each call of a message, in order. */
export function classifyCalls(content: readonly ContentBlock[], view: Pick<RegistryView, 'tools'>): ClassifiedCall[] {
  return content
    .filter((block): block is ToolCallBlock => block.type === 'tool-call')
    .map((block, index) => {
      const { id: callId, name } = block;
      const definition = view.tools.get(name)?.definition;
      return {
        ...classified({ index, callId, name, arguments: block.arguments }, definition),
        // An unknown tool is refused as such, whatever its arguments.
        ...(definition && isCutOff(block.arguments) && { invalid: CUT_OFF }),
      };
    });
}

/** One call with what the scheduler must know of it. */
export function classified(
  call: Pick<ClassifiedCall, 'index' | 'callId' | 'name' | 'arguments'>,
  definition: ToolDefinition | undefined,
): ClassifiedCall {
  return {
    ...call,
    concurrency: classifyCall(definition, call.arguments),
    ...escalationOf(definition, call.arguments),
    ...(asksForBackground(definition, call.arguments) && { background: true as const }),
  };
}

/** What a call asks beyond its session's mode; nothing where it could not run anyway, so that nobody is asked for it. */
function escalationOf(
  definition: ToolDefinition | undefined,
  rawArguments: string,
): Pick<RequestedCall, 'escalation'> | undefined {
  if (!definition?.escalation) return undefined;
  const args = parseArguments(rawArguments);
  const { requiredMode } = definition;
  const { sandbox_permissions: permissions, justification, ...rest } = fieldsOf(args);
  if (permissions === undefined && justification === undefined && !requiredMode) return undefined;
  try {
    checkArguments(definition, args);
  } catch {
    return undefined;
  }
  // What is absent must not be a member: the ledger keeps no `undefined`.
  const asked = {
    ...(permissions !== undefined && { permissions }),
    ...(justification !== undefined && { justification }),
  };
  if (!requiredMode) return { escalation: asked };
  const operation = `${definition.name} ${JSON.stringify(rest)}`;
  // Nobody can judge what they are not shown whole; the body refuses what nobody was asked for.
  if (operation.length > LONGEST_OPERATION) return undefined;
  return { escalation: { ...asked, required: requiredMode, operation } };
}
