import { ToolError, type ToolCallContext } from '@everturn/tools/kit';
import type { RunToolInput } from '../../contract/index.ts';

/**
 * Throws where a workspace has become a link that leads out of the folders workspaces may be in: who may write in one
 * folder could otherwise name a link there as the workspace of the next session, and write wherever it leads.
 */
export async function refuseStrayedWorkspace(
  { ports, sandbox }: Pick<ToolCallContext, 'ports' | 'sandbox'>,
  { cwd }: Pick<RunToolInput, 'cwd'>,
): Promise<void> {
  if (cwd === undefined || (await ports.project.allows(sandbox.root))) return;
  throw new ToolError(
    'WORKSPACE_NOT_ALLOWED',
    `the workspace ${cwd} leads out of the folders that workspaces may be in, so nothing ran; use the folder itself`,
  );
}
