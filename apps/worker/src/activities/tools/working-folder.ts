import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunToolInput } from '../../contract/index.ts';

/**
 * Where a call works: in the session's workspace, or in a folder of its own below the deployment's, made when it is
 * first needed, so that it meets neither the deployment's own state nor what other sessions made.
 */
export async function workingFolder(
  { cwd, tenant, session }: Pick<RunToolInput, 'cwd' | 'tenant' | 'session'>,
  home: string,
): Promise<string> {
  if (cwd !== undefined) return cwd;
  // An id may be "..", and two tenants may choose the same one.
  const own = join(home, 'workspaces', `tenant-${tenant}`, `session-${session}`);
  await mkdir(own, { recursive: true });
  return own;
}
