import type { ContentBlock } from './content.ts';
import type { SessionEvent } from './events.ts';

/** The text of a content: its text blocks, joined as they stand. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

export interface FinalAnswerInput {
  events: readonly SessionEvent[];
  /** Events below are another session's (a fork's seed) and are not read. */
  fromSeq?: number;
}

/** The last thing the agent said in words; an answer without text only anchors its step and is passed over. */
export function finalAnswer({ events, fromSeq = 0 }: FinalAnswerInput): string | undefined {
  const said = events.findLast(
    (event) => event.type === 'assistant/message' && event.seq >= fromSeq && textOf(event.data.content).trim() !== '',
  );
  return said?.type === 'assistant/message' ? textOf(said.data.content) : undefined;
}
