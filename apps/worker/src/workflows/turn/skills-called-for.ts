import { isBlobRef, skillsNamedIn, type MessageEntry } from '@everturn/core/domain';
import type { AssembleInput } from '../../contract/index.ts';

/** What a person's message calls for by name, or the message itself where it travels by reference. */
export function skillsCalledFor({
  content,
  source,
}: Pick<MessageEntry, 'content' | 'source'>): AssembleInput['calledFor'] {
  if (source.kind !== 'user') return undefined;
  if (isBlobRef(content)) return content;
  const names = skillsNamedIn(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
  return names.length > 0 ? names : undefined;
}
