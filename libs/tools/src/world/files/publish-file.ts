import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, link, mkdtemp, open, rename, rm, rmdir, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HeldFolder } from './held-folder.ts';

export interface PublishFileInput {
  /** Real path. */
  identity: string;
  content: string;
  /** What is replaced, whose mode and owner stay; absent for a new file, which its owner alone may read. */
  previous: BigIntStats | undefined;
  /** Refuse (`EEXIST`) when the file has appeared meanwhile. */
  exclusive: boolean;
  /** Hears where the folder of the file really is, before anything is staged there; a throw leaves everything as it was. */
  judgeFolder(real: string): void;
  /** Last look before the file changes; a throw leaves everything as it was. */
  beforePublish(): Promise<void>;
}

/**
 * Replaces a file in one move: readers see the old content or the new, also after a crash. The content is
 * staged in a private directory beside the target, because a rename works within one file system only. Both folders
 * are held from their check to the move: a command in the background could make links of them meanwhile.
 */
export async function publishFile(input: PublishFileInput): Promise<void> {
  const { identity, previous, judgeFolder: judge } = input;
  const folder = await HeldFolder.open({ path: dirname(identity), make: !previous, judge });
  try {
    const target = join(folder.path, basename(identity));
    if (previous) await access(target, constants.W_OK); // a rename would not ask for the file's own permission
    const staging = await mkdtemp(join(folder.path, '.everturn-write-'));
    try {
      await publishFrom(staging, target, input);
      await syncFolder(folder.path);
    } finally {
      await rmdir(staging).catch(() => undefined); // the file is published or untouched
    }
  } finally {
    await folder.close();
  }
}

async function publishFrom(staging: string, target: string, input: PublishFileInput): Promise<void> {
  const held = await HeldFolder.at(staging);
  const staged = join(held.path, randomBytes(6).toString('hex'));
  try {
    await stage(staged, input);
    await input.beforePublish();
    // A hard link cannot replace a file, so a competitor that came first survives.
    if (input.exclusive) await link(staged, target);
    else await rename(staged, target);
  } finally {
    await rm(staged, { force: true }).catch(() => undefined);
    await held.close();
  }
}

async function stage(path: string, { content, previous }: PublishFileInput): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content, 'utf8');
    if (previous) await keepOwnerAndMode(handle, previous);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwnerAndMode(handle: FileHandle, previous: BigIntStats): Promise<void> {
  // Only root may give files away; for anybody else the owner is the same or the file becomes theirs.
  await handle.chown(Number(previous.uid), Number(previous.gid)).catch(() => undefined);
  await handle.chmod(Number(previous.mode) & 0o7777); // after chown, which clears the set-id bits
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined); // some file systems refuse; the rename itself has happened
  await handle?.close();
}
