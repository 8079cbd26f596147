import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SCRIPTS = ['preinstall', 'install', 'postinstall'] as const;

/** The packages of an installed folder that have scripts npm would run at their installation, sorted. */
export async function packagesWithScripts(folder: string, lock: string): Promise<string[]> {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { link?: boolean }> };
  const found = await Promise.all(
    Object.keys(packages).map(async (place) => ((await hasScripts(join(folder, place))) ? nameOf(place) : undefined)),
  );
  return [...new Set(found.filter((name) => name !== undefined && name !== ''))].toSorted(byName) as string[];
}

const byName = (a = '', b = ''): number => (a < b ? -1 : 1);

const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

async function hasScripts(folder: string): Promise<boolean> {
  let manifest: { scripts?: Record<string, unknown> };
  try {
    manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as typeof manifest;
  } catch {
    return false; // not installed: optional, or for another system
  }
  if (SCRIPTS.some((script) => manifest.scripts?.[script] !== undefined)) return true;
  // npm builds these by itself.
  return access(join(folder, 'binding.gyp')).then(
    () => true,
    () => false,
  );
}
