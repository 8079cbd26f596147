import { isCutOff, parseArguments, type ContentBlock, type ToolCallBlock } from '@everturn/core/domain';
import {
  announcementsOf,
  asksForBackground,
  checkArguments,
  classifyCall,
  fieldsOf,
  type ToolDefinition,
} from '@everturn/tools/kit';
import type { CalledTool, Offer, RequestedCall } from '../../contract/index.ts';
import type { RegistryView } from '../../plugins/index.ts';

/** A tool call with its arguments as they are; the caller makes references of long ones. */
export type ClassifiedCall = Omit<RequestedCall, 'arguments'> & { arguments: string };

/** What calls may be of: the tools as this worker knows them, and as they were offered. */
export interface CallsAmong {
  view: Pick<RegistryView, 'tools'>;
  /** Absent where the assembly tells the workflow all of it. */
  offer?: Offer;
}

/** What the model reads for a call whose arguments stop in the middle; half of them must never run. */
export const CUT_OFF =
  'invalid arguments: the call was cut off before its arguments were complete, so it did not run. ' +
  'Make the call again with complete arguments; split the work into several calls if they are long.';

/** Characters of a call that a person is still asked to judge. */
const LONGEST_OPERATION = 2_000;

/** What the scheduler must know of each call of a message, in order. */
export function classifyCalls(content: readonly ContentBlock[], among: CallsAmong): ClassifiedCall[] {
  return content
    .filter((block): block is ToolCallBlock => block.type === 'tool-call')
    .map((block, index) => {
      const { id: callId, name } = block;
      return {
        ...classified({ index, callId, name, arguments: block.arguments }, among),
        // An unknown tool is refused as such, whatever its arguments.
        ...(among.view.tools.has(name) && isCutOff(block.arguments) && { invalid: CUT_OFF }),
      };
    });
}

/** One call with what the scheduler must know of it. */
export function classified(
  call: Pick<ClassifiedCall, 'index' | 'callId' | 'name' | 'arguments'>,
  { view, offer }: CallsAmong,
): ClassifiedCall {
  const definition = view.tools.get(call.name)?.definition;
  const tool = offer && offered(offer, call.name);
  const announced = announcementsOf(definition, call.arguments);
  return {
    ...call,
    ...(tool && { tool }),
    concurrency: classifyCall(definition, call.arguments),
    ...escalationOf(definition, call.arguments),
    ...(asksForBackground(definition, call.arguments) && { background: true as const }),
    ...(announced.length > 0 && { announced: [...announced] }),
  };
}

/** What the offer has under a name; an inherited name such as `constructor` is none. */
function offered({ tools, settings }: Offer, name: string): CalledTool | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return tool?.home === 'workflow' ? { ...tool, settings } : tool;
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
