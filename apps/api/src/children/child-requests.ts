import { SessionId } from '@everturn/core/domain';
import { z } from 'zod';
import { MessageContent } from '../platform/schemas/content.ts';
import { SessionPath } from '../platform/schemas/paths.ts';

/** `:id` of a session and an agent that it started. */
export const ChildPath = z.strictObject({ ...SessionPath.shape, child: SessionId.describe('an agent it started') });
export type ChildPath = z.output<typeof ChildPath>;

/** A person's message for an agent. */
export const ChildPromptBody = z.strictObject({
  content: MessageContent,
  mode: z
    .enum(['send', 'steer'])
    .default('steer')
    .describe('steer: joins the turn that runs, or is sent when none does; send: a turn of its own'),
});
export type ChildPromptBody = z.output<typeof ChildPromptBody>;

/** An interrupt says nothing more. */
export const NoBody = z.strictObject({}).nullish();
