import { SessionId } from '@everturn/core/domain';
import { z } from 'zod';
import { SessionState, SessionStatus } from '../platform/schemas/session-state.ts';

/** A session in a tree, each before what is below it. */
export const TreeNode = z.strictObject({
  id: z.string(),
  parent: z.string().optional(),
  depth: z.int().describe('levels below the session asked for; 0 = itself'),
  kind: z.enum(['session', 'subagent', 'fork']),
  mode: z.enum(['one-shot', 'continuable']).optional().describe('of a subagent'),
  label: z.string(),
  status: SessionStatus,
  createdAt: z.string(),
  usage: z.record(z.string(), z.unknown()),
});
export type TreeNode = z.output<typeof TreeNode>;

/** A session and everything below it. */
export const Tree = z.strictObject({
  nodes: z.array(TreeNode),
  usage: z.record(z.string(), z.number()).describe('of all of them together'),
  unresolvedParentId: z.string().optional().describe('the parent the session names and that does not exist'),
  truncated: z.boolean().describe('more sessions are below than are shown'),
});
export type Tree = z.output<typeof Tree>;

/** Direct children, oldest first. */
export const Children = z.strictObject({ sessions: z.array(SessionState) });

/** Where a fork ends. */
export const ForkBody = z
  .strictObject({
    atSeq: z
      .int()
      .nonnegative()
      .optional()
      .describe('the fork ends with the first turn that ends at or after this event; default the last ended turn'),
    id: SessionId.optional().describe('chosen by the caller'),
  })
  .nullish();
export type ForkBody = z.output<typeof ForkBody>;

/** Sessions that were told to stop. */
export const Cancelled = z.strictObject({ cancelled: z.array(z.string()) });
