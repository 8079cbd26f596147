import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InfraError } from '../process/infra-error.ts';
import { builtBundle } from './bundle-workflows.ts';

/** Bundles in a process of its own: a bundler holds its thread for seconds, and with it whoever shows how far things are. */
export async function bundleApart(root: string): Promise<string> {
  const built = builtBundle(root);
  if (built !== undefined) return built;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'infra/dev/bundle.ts')], { cwd: root });
    return stdout.trim();
  } catch (cause) {
    const said = ((cause as { stderr?: string }).stderr ?? '').trim();
    const remedy = 'something PURE reaches a Node builtin: `npm run boundaries`';
    throw new InfraError('INFRA_BUNDLE_FAILED', said || 'the workflows cannot be bundled', remedy, cause);
  }
}
