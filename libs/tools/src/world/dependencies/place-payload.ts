import { randomUUID } from 'node:crypto';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies a payload into a folder named by its digest, whole or not at all: what a crash leaves has another name, and
 * earlier payloads stay for those who still run them. Workers may do so at once; whoever is second uses the first's.
 */
export async function placePayload(input: { source: string; root: string; digest: string }): Promise<string> {
  const { source, root, digest } = input;
  const target = join(root, digest);
  if (await exists(target)) return target;
  await mkdir(root, { recursive: true });
  const staging = join(root, `.staging-${randomUUID()}`);
  try {
    await cp(source, staging, { recursive: true, verbatimSymlinks: true });
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
  return target;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
