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
  const own = ownFolder({ tenant, session }, home);
  await mkdir(own, { recursive: true });
  return own;
}

/** The folder of a session without a workspace, which may not be there yet. */
export function ownFolder({ tenant, session }: Pick<RunToolInput, 'tenant' | 'session'>, home: string): string {
  // An id may be "..", and two tenants may choose the same one.
  return join(home, 'workspaces', `tenant-${tenant}`, `session-${session}`);
}
