import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';

/**
 * Where root keeps what the Postgres account must reach when the checkout lies under a 0700 folder (root's home).
 * /var/tmp survives a reboot, /tmp often does not.
 */
export const fallbackHome = join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'everturn-postgres');

/** The Postgres programs at a place the account can run them from: where they are, or a copy made once per version. */
export function reachableBinaries(binaries: Binaries, account: Account | undefined): string {
  if (account === undefined || canRun(binaries.folder, account)) return binaries.folder;
  ownFallbackHome();
  const copy = join(fallbackHome, binaries.version);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    if (existsSync(copy)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, copy);
  }
  if (canRun(copy, account)) return copy;
  throw new InfraError(
    'INFRA_POSTGRES_FAILED',
    `user ${account.name} cannot run ${copy}/bin/postgres`,
    `remove ${copy}, or start as a plain user`,
  );
}

/** The data folder itself, or its stand-in where the account cannot get at it. Creates it and hands it to the account. */
export function reachableDataFolder(wanted: string, account: Account | undefined): string {
  const folder = dataFolderFor(wanted, account);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Where the data of a wanted folder lies, without creating anything in it. */
export function dataFolderFor(wanted: string, account: Account | undefined): string {
  const folder = resolve(wanted);
  mkdirSync(dirname(folder), { recursive: true });
  if (account === undefined || canEnter(dirname(folder), account)) return folder;
  ownFallbackHome();
  return join(fallbackHome, `data-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);
}

// A folder of that name under a world-writable one may be somebody's trap: only our own, unlinked, is used.
function ownFallbackHome(): void {
  mkdirSync(fallbackHome, { recursive: true, mode: 0o755 });
  const found = lstatSync(fallbackHome);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new InfraError(
      'INFRA_POSTGRES_FAILED',
      `${fallbackHome} belongs to somebody else`,
      'remove it, or move the checkout out of the 0700 folder',
    );
  }
  chmodSync(fallbackHome, 0o755);
}

function canRun(folder: string, { uid, gid }: Account): boolean {
  return spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { uid, gid, cwd: '/' }).status === 0;
}

function canEnter(folder: string, { uid, gid }: Account): boolean {
  return spawnSync('test', ['-x', folder], { uid, gid, cwd: '/' }).status === 0;
}
