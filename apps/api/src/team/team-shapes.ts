import { TeamTask } from '@everturn/core/domain';
import { z } from 'zod';

/** Somebody of a team. */
const Member = z.strictObject({
  target: z.string().describe('the name to write to; `lead` is the lead'),
  session: z.string(),
  role: z.enum(['lead', 'member']),
  status: z.enum(['running', 'inactive', 'provisioning', 'failed']),
  description: z.string().optional(),
  provider: z.string().optional().describe('who made the session'),
  context: z.enum(['fresh', 'fork']).optional().describe('whether it began with the turns of the lead'),
  model: z.string().optional(),
  diagnostics: z.array(z.string()).describe('what is wrong with it'),
  unread: z.int().nonnegative().describe('messages it is not known to have read'),
});

/** A task on the board. */
const Task = TeamTask.omit({ ownerId: true }).extend({
  ownerName: z.string().optional(),
  ready: z.boolean().describe('whether it can be claimed'),
  writeScopeWarnings: z.array(z.string()).describe('who else is at work on the same files'),
});

/** A lead, whoever works for it, and the board; a session without a team is a lead without members. */
export const TeamView = z.strictObject({
  teamId: z.string().describe('the session of the lead'),
  members: z.array(Member).describe('the lead first'),
  tasks: z.array(Task).describe('in order of creation, deleted ones left out'),
});
export type TeamView = z.output<typeof TeamView>;
