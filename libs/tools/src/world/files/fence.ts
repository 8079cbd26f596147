import { ToolError, type FileTarget, type SandboxPolicy } from '../../kit/index.ts';
import { writableRoots } from '../sandbox/writable-roots.ts';
import type { FileVerb } from './file-error.ts';
import { realTarget } from './resolve-target.ts';

/**
 * Throws `FS_SANDBOX_DENIED` unless the policy lets the target be written. The path is made real again each time,
 * because a folder on the way may have become a link since.
 */
export async function assertWritable(verb: FileVerb, target: FileTarget, fence?: SandboxPolicy): Promise<void> {
  if (fence?.mode === 'workspace-write')
    assertInside(verb, target, await realTarget(target.identity).catch(() => undefined), fence);
  else assertInside(verb, target, target.identity, fence);
}

/** The same of a path that is real: nothing is asked of the disk. `undefined` is inside of nothing. */
export function assertInside(
  verb: FileVerb,
  { displayPath }: Pick<FileTarget, 'displayPath'>,
  real: string | undefined,
  fence?: SandboxPolicy,
): void {
  if (!fence || fence.mode === 'danger-full-access') return;
  if (fence.mode === 'workspace-write' && real !== undefined)
    if (writableRoots(fence.root).some((root) => isWithin(real, root))) return;
  throw new ToolError(
    'FS_SANDBOX_DENIED',
    `cannot ${verb} "${displayPath}": file access denied under ${fence.mode} mode`,
  );
}

const isWithin = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
