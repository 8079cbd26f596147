import { LlmError } from '../../domain/index.ts';
import type { ContentBlock } from '../../domain/index.ts';

/** What a tool that said nothing is told to have said: no protocol takes an empty result. */
export const NO_OUTPUT = '(no output)';

/** A block that has no place where it stands in a history. */
export function unsupportedBlock(protocol: string, block: ContentBlock, where: string): LlmError {
  return new LlmError({
    code: 'UNSUPPORTED_CONTENT',
    message: `${protocol} cannot carry a ${block.type} block in ${where}`,
  });
}
