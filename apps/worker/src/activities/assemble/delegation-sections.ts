import type { PromptSection } from '../../plugins/index.ts';
import type { SessionFacts } from '../context/session-facts.ts';

/** What an agent that works for another is told of that. */
export function delegationSections({ header }: Pick<SessionFacts, 'header'>): PromptSection[] {
  if (header.origin !== 'subagent') return [];
  return [
    {
      name: 'subagent:delegation',
      order: 120,
      text: 'You work for another agent, on the task it gave you and on nothing beyond it. Nobody can be asked: calls that need an approval are rejected. Where something keeps you from a part of the task, say so in your last message, which is all the other agent gets to read.',
    },
  ];
}
