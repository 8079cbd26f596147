import { realpath } from 'node:fs/promises';
import type { SandboxPolicy } from '@everturn/tools/kit';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallPlace } from './call-place.ts';

/** What one call may do: the session's mode as its step knows it, or the one a person granted for this call. */
export async function sandboxPolicy(
  { facts, settings, permissionMode }: Pick<ActivityDeps, 'facts' | 'settings' | 'permissionMode'>,
  input: CallPlace,
  cwd: string,
): Promise<SandboxPolicy> {
  const { options } = await facts.read(input);
  const { mode, granted } = input.sandbox ?? { mode: permissionMode };
  return {
    mode,
    ...(granted && { granted: mode }),
    network: options.permissions?.network ?? settings.sandbox.network,
    // As the command and the file system know it; where it cannot be told, nothing below the name is writable.
    root: await realpath(cwd).catch(() => cwd),
    limits: settings.sandbox.limits,
  };
}
