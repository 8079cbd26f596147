import { createHash } from 'node:crypto';
import { accessSync, constants, createReadStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { WheelRelease } from './wheel-release.ts';

/** Where fetched programs are kept: the user's cache, shared by all checkouts, else a folder of this one. */
export function cacheFolder(fallback: string): string {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const wanted = join(base, 'everturn');
  try {
    mkdirSync(wanted, { recursive: true });
    accessSync(wanted, constants.W_OK);
    return wanted;
  } catch {
    mkdirSync(fallback, { recursive: true });
    return fallback;
  }
}

/** The cached program, if it is there and its bytes are the ones we pinned or noted when we installed it. */
export async function cachedProgram(cache: string, release: WheelRelease): Promise<string | undefined> {
  const program = programIn(join(cache, release.folder), release);
  const note = join(cache, release.folder, 'sha256');
  if (!existsSync(program) || !existsSync(note)) return undefined;
  const expected = release.programHashes[`${process.platform}-${process.arch}`] ?? readFileSync(note, 'utf8').trim();
  return (await sha256Of(program)) === expected ? program : undefined;
}

/** Where pip puts the program below its target folder. */
export function programIn(folder: string, release: WheelRelease): string {
  return join(folder, release.program);
}

/** The sha256 of a file, in hex. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
