import { isToolError } from './tool-error.ts';
import type { ToolRunContext } from './tool-context.ts';

/** Looks at a file; one that turns out to be missing is noted as such, so that a write may create it. */
export async function observeMissing<T>(path: string, context: ToolRunContext, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isToolError(error) && error.code === 'FS_NOT_FOUND' && context.filePolicy) {
      const { cwd, signal, ports } = context;
      const stat = await ports.files.stat({ path, cwd, signal }).catch(() => undefined); // the first failure is the one to tell
      if (stat?.kind === 'absent') await context.filePolicy.observed(stat, { kind: 'absent' });
    }
    throw error;
  }
}
