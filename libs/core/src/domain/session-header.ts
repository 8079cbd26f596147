import { z } from 'zod';
import { SessionId } from './ids.ts';

/** Facts of a session that never change, kept apart from its log. `createdAt` in epoch ms. */
export const SessionHeader = z.strictObject({
  version: z.literal(0),
  id: SessionId,
  createdAt: z.number(),
  /** Absolute path of the workspace. */
  cwd: z.string().optional(),
  parentSession: SessionId.optional(),
  origin: z.literal('subagent').optional(),
  seedLength: z.int().nonnegative().optional(),
  delegationDepth: z.int().nonnegative().optional(),
});
export type SessionHeader = z.infer<typeof SessionHeader>;
