import { SessionId } from '@everturn/core/domain';
import { z } from 'zod';

const rating = z.enum(['positive', 'negative']);

/** One answer of a session. */
export const AnswerPath = z.strictObject({
  id: SessionId.describe('the session'),
  seq: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .describe('the number of the assistant/message in the log'),
});
export type AnswerPath = z.output<typeof AnswerPath>;

/** What somebody thinks of an answer. */
export const FeedbackBody = z.strictObject({
  rating,
  note: z.string().optional().describe('at most 8192 bytes'),
  ifVersion: z
    .int()
    .positive()
    .nullable()
    .optional()
    .describe('the version it takes the place of; null = there must be none; absent = whichever'),
});
export type FeedbackBody = z.output<typeof FeedbackBody>;

export const Feedback = z.strictObject({
  seq: z.int(),
  rating,
  note: z.string().optional(),
  version: z.int().positive(),
});
export const FeedbackList = z.strictObject({ feedback: z.array(Feedback) });
export type FeedbackList = z.output<typeof FeedbackList>;
export const FeedbackReceipt = z.strictObject({ version: z.int().positive() });
export type FeedbackReceipt = z.output<typeof FeedbackReceipt>;
