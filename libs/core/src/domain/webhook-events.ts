import { z } from 'zod';

/** What a subscription may be told of. */
export const WebhookEvent = z.enum(['turn.ended', 'approval.asked', 'question.asked', 'job.ended', 'session.closed']);
export type WebhookEvent = z.infer<typeof WebhookEvent>;
