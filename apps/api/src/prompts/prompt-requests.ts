import { z } from 'zod';
import { MessageContent } from '../platform/schemas/content.ts';
import { wholeNumber } from '../platform/schemas/query-values.ts';

/** A message for a session. */
export const SubmitPromptBody = z.strictObject({
  content: MessageContent,
  mode: z
    .enum(['send', 'steer'])
    .default('send')
    .describe('send: a turn of its own; steer: joins the running turn, or is sent when none runs'),
  expectedTurn: z.int().positive().optional().describe('steer only this turn; refused when another or none runs'),
  clientTimeZone: z
    .string()
    .max(64)
    .refine((zone) => isTimeZone(zone), 'is not a time zone this server knows')
    .optional(),
});
export type SubmitPromptBody = z.output<typeof SubmitPromptBody>;

/** How long to wait. */
export const WaitQuery = z.strictObject({
  wait: wholeNumber({ min: 0, max: 60 })
    .optional()
    .describe('seconds to wait for the end of the turn that takes the prompt'),
});
export type WaitQuery = z.output<typeof WaitQuery>;

/** New content of a queued prompt. */
export const EditPromptBody = z.strictObject({ content: MessageContent });
export type EditPromptBody = z.output<typeof EditPromptBody>;

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
