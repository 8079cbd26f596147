import { parseArguments, validateArguments, type ContentBlock, type ToolCallBlock } from '@everturn/core/domain';
import type { RequestedCall } from '../../contract/index.ts';
import type { RegistryView } from '../../plugins/index.ts';

/** A tool call with its arguments as they are; the caller makes references of long ones. */
export type ClassifiedCall = Omit<RequestedCall, 'arguments'> & { arguments: string };

/** What the scheduler must know of each call of a message, in order. */
export function classifyCalls(content: readonly ContentBlock[], view: Pick<RegistryView, 'tools'>): ClassifiedCall[] {
  return content
    .filter((block): block is ToolCallBlock => block.type === 'tool-call')
    .map((block, index) => {
      const tool = view.tools.get(block.name);
      const invalid = tool && isCutOff(block.arguments) ? CUT_OFF : undefined;
      return {
        index,
        callId: block.id,
        name: block.name,
        arguments: block.arguments,
        concurrency: concurrencyOf(block, view),
        ...(invalid !== undefined && { invalid }),
      };
    });
}

/** What the model reads for a call whose arguments stop in the middle; half of them must never run. */
export const CUT_OFF =
  'Error: invalid arguments: the call was cut off before its arguments were complete, so it did not run. ' +
  'Make the call again with complete arguments; split the work into several calls if they are long.';

function concurrencyOf(block: ToolCallBlock, view: Pick<RegistryView, 'tools'>): 'parallel' | 'exclusive' {
  const definition = view.tools.get(block.name)?.definition;
  if (!definition?.concurrency) return 'exclusive';
  try {
    const value = parseArguments(block.arguments);
    if (validateArguments(definition.parameters, value).length > 0) return 'exclusive';
    return definition.concurrency(value as never) === 'parallel' ? 'parallel' : 'exclusive';
  } catch {
    return 'exclusive';
  }
}

/** Whether the text is the beginning of a JSON text: it ends inside a string, an array or an object. */
export function isCutOff(raw: string): boolean {
  const trimmed = raw.trim();
  if (trimmed === '') return false;
  let depth = 0;
  let place: 'outside' | 'string' | 'escape' = 'outside';
  for (const character of trimmed) {
    if (place === 'escape') place = 'string';
    else if (place === 'string') place = character === '\\' ? 'escape' : character === '"' ? 'outside' : 'string';
    else if (character === '"') place = 'string';
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return depth > 0 || place !== 'outside';
}
