import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Where the system names an open folder by its descriptor, so that it is found whatever its own name leads to by then. */
const NAMES_DESCRIPTORS = process.platform === 'linux';
/** O_PATH, which Node does not name: to work in a folder one need not be allowed to list it. */
const ONLY_ITS_PLACE = 0x20_0000;

export interface OpenFolderInput {
  /** Absolute. */
  path: string;
  /** Whether missing folders are made. */
  make: boolean;
  /** Hears where the folder will really be, before anything is made on the way, and throws where it must not be. */
  judge(real: string): void;
}

/** A folder that is held: who makes a link of it, or of a folder above, does not lead elsewhere what is done in it. */
export class HeldFolder {
  readonly #handle: FileHandle | undefined;
  readonly #name: string;

  private constructor(name: string, handle: FileHandle | undefined) {
    this.#name = name;
    this.#handle = handle;
  }

  static async open(input: OpenFolderInput, below = ''): Promise<HeldFolder> {
    const { path, make, judge } = input;
    const found = await HeldFolder.at(path).catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof HeldFolder) return found.#checked(async () => judge(join(await found.#realPath(), below)));
    if (!make || found.code !== 'ENOENT' || path === dirname(path)) throw found;
    const parent = await HeldFolder.open({ ...input, path: dirname(path) }, join(basename(path), below));
    try {
      const name = join(parent.path, basename(path));
      await mkdir(name).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      return await HeldFolder.at(name);
    } finally {
      await parent.close();
    }
  }

  /** A folder by its path, whose last name is no link. */
  static async at(path: string): Promise<HeldFolder> {
    if (!NAMES_DESCRIPTORS) return HeldFolder.named(path);
    const flags = ONLY_ITS_PLACE | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    return new HeldFolder(path, await open(path, flags));
  }

  /** By its name alone, where nothing can be held. */
  static async named(path: string): Promise<HeldFolder> {
    const found = await lstat(path);
    if (!found.isDirectory()) throw Object.assign(new Error(`ENOTDIR: ${path} is no folder`), { code: 'ENOTDIR' });
    return new HeldFolder(path, undefined);
  }

  /** What it is called in calls of the system. */
  get path(): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}` : this.#name;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  #realPath(): Promise<string> {
    return this.#handle ? readlink(this.path) : realpath(this.#name);
  }

  async #checked(check: () => Promise<void>): Promise<this> {
    try {
      await check();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }
}
