import { text, type ContentBlock } from './content.ts';
import type { LlmFailure } from './failures.ts';

const OPENING = '<compacted-summary>';
const CLOSING = '</compacted-summary>';

const SECTIONS = [
  'Primary Request and Intent',
  'Key Technical Concepts',
  'Files and Code',
  'Errors and Fixes',
  'Pending Tasks',
  'Current Work',
  'Next Step',
  'Critical Context',
];

/** What the model is asked at the end of what it is to sum up. */
export const SUMMARY_INSTRUCTION = [
  'Write a checkpoint of the conversation above. It will stand in its place, so whoever goes on from it knows nothing else.',
  `Use exactly these headings, each as a line of its own beginning with "## ", in this order; write (none) under a heading that has nothing:`,
  ...SECTIONS.map((section) => `## ${section}`),
  'Under each heading write terse bullet points. Keep paths, commands, error texts and signatures exactly as they are.',
  `If the conversation holds an earlier ${OPENING}, work what still matters of it into these points; do not copy it.`,
  'Do not mention this checkpoint or that you were asked for one. Do not call tools. Answer with the checkpoint only.',
].join('\n');

const PREAMBLE =
  'This is a checkpoint of the earlier conversation, written automatically. Take it as established background and go on directly; do not repeat or acknowledge it.';

/** What stands on the surface in place of what was summed up. */
export function summaryMessage(summary: readonly ContentBlock[]): ContentBlock[] {
  return [text(`${PREAMBLE}\n\n${OPENING}\n`), ...summary, text(`\n${CLOSING}`)];
}

/** An answer of the model that was asked for a summary. */
export interface SummaryAnswer {
  finish: 'stop' | 'tool-calls' | 'max-tokens';
  content: readonly ContentBlock[];
}

/** The text of a summary, or why it is none. */
export function summaryOf({ finish, content }: SummaryAnswer): { summary: ContentBlock[] } | LlmFailure {
  if (finish === 'max-tokens') return unusable('was cut off at its limit of tokens');
  const summary = content.filter((block) => block.type === 'text' && block.text.trim() !== '');
  if (summary.length > 0) return { summary };
  return unusable(content.some(({ type }) => type === 'tool-call') ? 'calls tools and says nothing' : 'is empty');
}

const unusable = (why: string): LlmFailure => ({ code: 'EMPTY_RESPONSE', message: `the summary ${why}` });
