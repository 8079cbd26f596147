import { SessionId, Workspace } from '@everturn/core/domain';
import { z } from 'zod';

/** How an import differs from what was exported. */
export const ImportQuery = z.strictObject({
  id: SessionId.optional().describe('the name of the new session; else the one it had'),
  workspace: Workspace.optional().describe('its folder; else the one it had'),
  parent: z
    .enum(['keep', 'drop'])
    .default('keep')
    .describe('`drop`: it stands for itself, whatever it was a fork or an agent of'),
});
export type ImportQuery = z.output<typeof ImportQuery>;
