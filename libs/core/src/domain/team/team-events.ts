import { z } from 'zod';
import { registerEvent } from '../event-registry.ts';
import { SessionId } from '../ids.ts';
import { messageSources } from '../message-sources.ts';

/** The target every team has: its lead. */
export const LEAD = 'lead';

/** What a member is called, for good. */
export const MemberName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .refine((name) => name !== LEAD);

/** Somebody who works for the lead of a team. `id` is their session; a failed one keeps its name and its place. */
export const TeamMember = z.strictObject({
  id: SessionId,
  name: MemberName,
  description: z.string().max(200),
  /** Who made the session: `spawn`, `fork`. */
  provider: z.string().min(1),
  context: z.enum(['fresh', 'fork']),
  phase: z.enum(['provisioning', 'active', 'failed']),
  /** Why it failed. */
  error: z.string().exactOptional(),
});
export type TeamMember = z.infer<typeof TeamMember>;

/** A task on the board, whole; `revision` rises by one with each change. */
export const TeamTask = z.strictObject({
  id: z.string().regex(/^task-[1-9]\d*$/),
  revision: z.int().positive(),
  subject: z.string().min(1).max(200),
  description: z.string().min(1).max(16_384),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
  /** The session of whoever works, or worked, on it. */
  ownerId: SessionId.exactOptional(),
  blockedBy: z.array(z.string()),
  writeScopes: z.array(z.string()),
});
export type TeamTask = z.infer<typeof TeamTask>;

/** `wakeup`: its target begins a turn for it; `quiet`: it waits until the target works anyway. */
const MailDelivery = z.enum(['quiet', 'wakeup']);

const TeamMail = z.strictObject({
  id: z.string().min(1),
  senderId: SessionId,
  senderName: z.string().min(1),
  targetId: SessionId,
  delivery: MailDelivery,
  content: z.string(),
});
export type TeamMail = z.infer<typeof TeamMail>;

const common = { version: z.literal(1), teamId: SessionId };
const schemas = {
  'team/member': z.strictObject({ ...common, member: TeamMember }),
  'team/task': z.strictObject({ ...common, task: TeamTask }),
  'team/message/queued': z.strictObject({ ...common, message: TeamMail }),
  'team/message/delivered': z.strictObject({ ...common, messageId: z.string().min(1), targetId: SessionId }),
};
type TeamEventMap = { [T in keyof typeof schemas]: z.infer<(typeof schemas)[T]> };

/** What the log of a lead says of its team. */
export type TeamFact = { [T in keyof TeamEventMap]: { type: T; data: TeamEventMap[T] } }[keyof TeamEventMap];

/** The types of such events. */
export const TEAM_EVENTS = Object.keys(schemas) as (keyof TeamEventMap)[];

/** What a member is told by another. */
export interface TeamMessageSource {
  kind: 'team-message';
  teamId: string;
  messageId: string;
  senderId: string;
  senderName: string;
}

declare module '../events.ts' {
  interface SessionEventMap {
    'team/member': TeamEventMap['team/member'];
    'team/task': TeamEventMap['team/task'];
    'team/message/queued': TeamEventMap['team/message/queued'];
    'team/message/delivered': TeamEventMap['team/message/delivered'];
  }
}
declare module '../messages.ts' {
  interface MessageSourceMap {
    'team-message': TeamMessageSource;
  }
}

registerEvent('team/member', { schema: schemas['team/member'], outOfBand: true });
registerEvent('team/task', { schema: schemas['team/task'], outOfBand: true });
registerEvent('team/message/queued', { schema: schemas['team/message/queued'], outOfBand: true });
registerEvent('team/message/delivered', { schema: schemas['team/message/delivered'], outOfBand: true });

const id = z.string().min(1);
messageSources.register(
  'team-message',
  z.strictObject({ kind: z.literal('team-message'), teamId: id, messageId: id, senderId: id, senderName: id }),
);
