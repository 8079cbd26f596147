import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { workspaceRoot } from '../stack/paths.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

const lockfile = readFileSync(join(workspaceRoot, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };

test('names no registry: everybody installs from their own', () => {
  const urls = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(urls).toEqual([]);
});

// npm leaves out platform packages that the registry at hand does not have, and then `npm ci` refuses the lockfile.
test('holds the packages of every platform, not only of the one it was written on', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isFoundFrom(path, name))
      .map((name) => `${path} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

function isFoundFrom(path: string, name: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if (folder === '.') folder = '';
    if (join(folder, 'node_modules', name) in packages) return true;
    if (folder === '') return false;
  }
}
