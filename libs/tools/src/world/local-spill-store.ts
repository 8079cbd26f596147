import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { utf8Head, type Spilled, type SpillInput, type SpillPort } from '../kit/index.ts';

const MAX_NAME_BYTES = 200; // file systems stop at 255, and a prefix stands before it

/** Keeps long results in a private directory of this machine, apart for each session. */
export class LocalSpillStore implements SpillPort {
  readonly #root: string;

  /** `root` is made (0700) when it is missing. */
  constructor(root: string) {
    this.#root = root;
  }

  async save({ session, name, text }: SpillInput): Promise<Spilled> {
    const folder = join(this.#root, sessionFolder(session));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${randomBytes(6).toString('hex')}-${encodeName(name)}`);
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(text, 'utf8');
    } finally {
      await handle.close();
    }
    return { locator: path, hint: 'Page through that path with read, or search it with grep.' };
  }
}

const sessionFolder = (session: SessionId): string =>
  `session-${createHash('sha256').update(session).digest('hex').slice(0, 12)}`;

/** One path segment for any name: what is not plain becomes `~` and four hex digits a UTF-16 unit. */
export function encodeName(name: string): string {
  const escape = (unit: string) => `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (name === '') return '~';
  if (name === '.' || name === '..') return name.replaceAll('.', escape);
  return utf8Head(name.replaceAll(/[^A-Za-z0-9._-]/g, escape), MAX_NAME_BYTES);
}
