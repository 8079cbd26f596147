import { z } from 'zod';

const count = z.int().positive();

/** What a deployment decides about teams. */
export const TeamSettings = z
  .strictObject({
    /** Beside the lead, failed ones counted. */
    maxMembers: count.default(8),
    /** On the board, deleted ones not counted. */
    maxTasks: count.default(256),
    /** Messages one member has not read. */
    maxPendingMessagesPerMember: count.default(64),
    /** UTF-8 bytes of a message as it is sent. */
    maxMessageBytes: count.max(131_072).default(65_536),
    /** Who makes members that know nothing of the lead's history. */
    freshProvider: z.string().min(1).default('spawn'),
    /** Who makes members that begin with the lead's finished turns. */
    forkProvider: z.string().min(1).default('fork'),
  })
  .prefault({});
