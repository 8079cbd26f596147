import { ApiError } from '../errors/api-error.ts';

/** Refuses a workspace outside every root that a machine serves; the machine itself checks links. */
export function refuseForeignWorkspace(workspace: string | undefined, roots: readonly string[]): void {
  if (workspace === undefined || roots.some((root) => lies(workspace, root))) return;
  const message = `"${workspace}" lies outside the folders that workspaces may be in: ${roots.join(', ') || '(none)'}`;
  const field = 'body.workspace';
  throw new ApiError({ code: 'WORKSPACE_NOT_ALLOWED', message: `${field}: ${message}`, issues: [{ field, message }] });
}

function lies(path: string, root: string): boolean {
  const folder = root.replace(/\/+$/, '');
  return path === folder || path.startsWith(`${folder}/`);
}
