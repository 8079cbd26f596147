import { DelegationMode, ToolFilter } from '@everturn/core/domain';
import { z } from 'zod';

/** One tool that delegates, as a deployment sets it up. */
export const DelegationRow = z.strictObject({
  /** Who makes its children: `spawn`, `fork`. */
  provider: z.string().min(1),
  toolName: z.string().regex(/^[a-z][a-z0-9_]*$/),
  /** Whether models may choose the model of a child, in sessions with a policy for it. */
  modelSelection: z.boolean().default(false),
  enableRunInBackground: z.boolean().default(true),
  backgroundMode: DelegationMode.default('one-shot'),
  agentOptions: z
    .strictObject({
      provider: z.string().min(1).optional(),
      model: z.string().min(1).optional(),
      reasoningEffort: z.enum(['off', 'low', 'medium', 'high', 'max']).optional(),
      maxTokens: z.int().positive().optional(),
    })
    .optional(),
  /** Takes the place of the deployment's persona. */
  persona: z.string().optional(),
  toolFilter: ToolFilter.optional(),
  /** Levels of agents below one that works for nobody; 0 forbids delegation. */
  maxDepth: z.union([z.int().nonnegative(), z.literal('provider-managed')]).default(3),
});
export type DelegationRow = z.infer<typeof DelegationRow>;

/** The tools that delegate; each name once. */
export const DelegationRows = z
  .array(DelegationRow)
  .refine((rows) => new Set(rows.map(({ toolName }) => toolName)).size === rows.length, 'each toolName once')
  .prefault([
    { provider: 'spawn', toolName: 'subagent', modelSelection: true },
    { provider: 'fork', toolName: 'subagent_fork', modelSelection: true },
  ]);
export type DelegationRows = z.infer<typeof DelegationRows>;
