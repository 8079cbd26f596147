import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const STAGING = '.staging-';
/** Whoever copies says so this often; what nobody spoke for ten times as long was left by a crash. In ms. */
const BEAT_MS = 30_000;
const DEAD_MS = 10 * BEAT_MS;

/**
 * Copies a payload into a folder named by its digest, whole or not at all: what a crash leaves has another name and is
 * swept by the next copy; earlier payloads stay for those who still run them. Workers may do so at once, of one machine
 * or of several that share the folder; whoever is second uses the first's.
 */
export async function placePayload(input: { source: string; root: string; digest: string }): Promise<string> {
  const { source, root, digest } = input;
  const target = join(root, digest);
  if (await exists(target)) return target;
  await mkdir(root, { recursive: true });
  await sweep(root);
  const staging = join(root, `${STAGING}${randomUUID()}`);
  await mkdir(staging);
  const beat = setInterval(() => void touch(staging), BEAT_MS);
  try {
    await cp(source, staging, { recursive: true, verbatimSymlinks: true });
    await rename(staging, target);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  } finally {
    clearInterval(beat);
  }
  return target;
}

/** Removes copies that nobody finishes any more; one that cannot be removed is in nobody's way. */
async function sweep(root: string): Promise<void> {
  const names = (await readdir(root)).filter((name) => name.startsWith(STAGING));
  for (const folder of names.map((name) => join(root, name))) {
    const seen = await stat(folder).catch(() => undefined);
    if (seen && Date.now() - seen.mtimeMs > DEAD_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

const touch = (folder: string): Promise<void> => utimes(folder, new Date(), new Date()).catch(() => undefined);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
