import type { BigIntStats } from 'node:fs';
import {
  ToolError,
  utf8Length,
  type BinaryFile,
  type EditFileInput,
  type FileChange,
  type FileInput,
  type FilesPort,
  type FileStat,
  type FileTarget,
  type FileVersion,
  type FolderEntry,
  type ListFolderInput,
  type ReadBytesInput,
  type SandboxPolicy,
  type TextFile,
  type WriteFileInput,
} from '../../kit/index.ts';
import { MAX_BASIS_BYTES, textBasis } from './before-text.ts';
import { diffHunks } from './diff-hunks.ts';
import { assertInside, assertWritable } from './fence.ts';
import { fileError, throwIfAborted, type FileVerb } from './file-error.ts';
import { statsOf, versionOf } from './file-version.ts';
import { IdentityLock } from './identity-lock.ts';
import { asItStands, normalise, restore } from './line-endings.ts';
import { listFolder } from './list-folder.ts';
import { notRegular, openRegular } from './open-regular.ts';
import { publishFile } from './publish-file.ts';
import { readBytes } from './read-bytes.ts';
import { binaryFile, readText } from './read-text.ts';
import { resolveTarget } from './resolve-target.ts';

/** An edit holds the whole file, several times over. */
const MAX_EDIT_BYTES = 64 * 1024 * 1024;

/** Files of this machine; writes to one file wait for each other, whatever it is called. */
export class LocalFiles implements FilesPort {
  readonly #lock = new IdentityLock();

  async stat({ path, cwd, signal }: FileInput): Promise<FileStat> {
    throwIfAborted('inspect', signal);
    // Below a file there is nothing, which is an answer and no failure.
    const target = await resolveTarget({ verb: 'inspect', path, cwd }).catch((error: unknown) => {
      if (error instanceof ToolError && error.message.endsWith('is not a directory')) return undefined;
      throw error;
    });
    if (!target) return { kind: 'absent', displayPath: path, identity: path };
    const stats = await this.#stats('inspect', target);
    if (!stats) return { ...target, kind: 'absent' };
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    return { ...target, kind, version: versionOf(stats), sizeBytes: Number(stats.size) };
  }

  async readText({ path, cwd, signal }: FileInput): Promise<TextFile> {
    throwIfAborted('read', signal);
    const target = await resolveTarget({ verb: 'read', path, cwd });
    const { handle, stats } = await openRegular('read', target);
    const { displayPath } = target;
    const chunks = readText({ verb: 'read', displayPath, handle, signal });
    return { ...target, version: versionOf(stats), sizeBytes: Number(stats.size), chunks };
  }

  async readBytes({ path, cwd, signal, maxBytes }: ReadBytesInput): Promise<BinaryFile> {
    throwIfAborted('read', signal);
    const target = await resolveTarget({ verb: 'read', path, cwd });
    const { handle, stats } = await openRegular('read', target);
    const bytes = await readBytes({ target, handle, stats, maxBytes });
    return { ...target, version: versionOf(stats), bytes };
  }

  async list({ path, cwd, signal, depth, skip }: ListFolderInput): Promise<FolderEntry[]> {
    throwIfAborted('list', signal);
    const target = await resolveTarget({ verb: 'list', path, cwd });
    const entries = await listFolder({ ...target, depth, signal, ...(skip && { skip }) }).catch((error: unknown) => {
      throw listError(target, error);
    });
    throwIfAborted('list', signal);
    return entries.toSorted((a, b) => byCodePoints(a.path, b.path));
  }

  async write({ path, cwd, signal, content, intent: asked, fence }: WriteFileInput): Promise<FileChange> {
    throwIfAborted('write', signal);
    const target = await resolveTarget({ verb: 'write', path, cwd });
    await assertWritable('write', target, fence);
    const intent = await asked?.(target);
    return this.#lock.run(target.identity, async () => {
      const previous = await this.#stats('write', target);
      if (previous && !previous.isFile()) throw notRegular('write', target.displayPath, previous);
      const exclusive = intent?.kind === 'create-if-absent';
      if (exclusive && (previous || (await danglingLink(target)))) throw notObserved(target);
      const expected = intent?.kind === 'replace-if-version' ? intent.version : undefined;
      if (expected !== undefined) assertVersion('write', target, previous, expected);
      const before = previous ? await textBasis(target.identity, Number(previous.size)) : null;
      return this.#publish({ verb: 'write', target, previous, content, before, exclusive, expected, signal, fence });
    });
  }

  async edit(input: EditFileInput): Promise<FileChange> {
    const { path, cwd, signal, change, fence } = input;
    throwIfAborted('edit', signal);
    const target = await resolveTarget({ verb: 'edit', path, cwd });
    await assertWritable('edit', target, fence);
    const expectedVersion = await input.expectedVersion?.(target);
    return this.#lock.run(target.identity, async () => {
      const previous = await this.#stats('edit', target);
      // A file that is gone may be recreated by a write only, so even an unguarded edit calls it stale.
      if (!previous) throw stale('edit', target, 'file no longer exists');
      if (!previous.isFile()) throw notRegular('edit', target.displayPath, previous);
      if (expectedVersion !== undefined) assertVersion('edit', target, previous, expectedVersion);
      const whole = await wholeText(target);
      const raw = input.lineEnds === 'as-they-are' ? asItStands(whole) : normalise(whole);
      const content = restore({ ...raw, text: change({ displayPath: target.displayPath, text: raw.text }) });
      const expected = versionOf(previous);
      const before = Number(previous.size) < MAX_BASIS_BYTES ? normalise(whole).text : null;
      return this.#publish({
        verb: 'edit',
        target,
        previous,
        content,
        before,
        exclusive: false,
        expected,
        signal,
        fence,
      });
    });
  }

  async #publish(input: PublishInput): Promise<FileChange> {
    const { verb, target, previous, content, exclusive, expected, signal, fence } = input;
    if (!content.isWellFormed())
      throw new ToolError(
        'FS_NOT_TEXT',
        `cannot ${verb} "${target.displayPath}": the new text holds half of a surrogate pair, which no UTF-8 file can; send whole characters`,
      );
    await assertWritable(verb, target, fence); // before anything is staged beside it
    try {
      await publishFile({
        identity: target.identity,
        content,
        previous,
        exclusive,
        judgeFolder: (real) => assertInside(verb, target, real, fence),
        beforePublish: async () => {
          throwIfAborted(verb, signal);
          await assertWritable(verb, target, fence);
          if (expected !== undefined) assertVersion(verb, target, await statsOf(target.identity), expected);
        },
      });
    } catch (error) {
      if (exclusive && (error as NodeJS.ErrnoException).code === 'EEXIST') throw notObserved(target);
      throw error instanceof ToolError ? error : fileError(verb, target.displayPath, error);
    }
    return this.#change(input);
  }

  async #change({ verb, target, previous, content, before }: PublishInput): Promise<FileChange> {
    const stats = await this.#stats(verb, target);
    const after = normalise(content).text;
    const basis = utf8Length(after) < MAX_BASIS_BYTES ? before : null;
    const links = previous ? Number(previous.nlink) : 1;
    return {
      ...target,
      operation: previous ? 'update' : 'create',
      before: basis,
      after,
      hunks: basis === null ? [] : diffHunks(basis, after),
      version: stats ? versionOf(stats) : '',
      ...(links > 1 && { note: splitNote(target, links) }),
    };
  }

  async #stats(verb: FileVerb, target: FileTarget): Promise<BigIntStats | undefined> {
    return statsOf(target.identity).catch((error: unknown) => {
      throw fileError(verb, target.displayPath, error);
    });
  }
}

const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function listError(target: FileTarget, error: unknown): ToolError {
  if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') return fileError('list', target.displayPath, error);
  return new ToolError('FS_NOT_DIRECTORY', `cannot list "${target.displayPath}": it is not a directory`);
}

interface PublishInput {
  verb: 'write' | 'edit';
  target: FileTarget;
  previous: BigIntStats | undefined;
  content: string;
  before: string | null;
  exclusive: boolean;
  expected: FileVersion | undefined;
  signal: AbortSignal;
  fence: SandboxPolicy | undefined;
}

async function wholeText(target: FileTarget): Promise<string> {
  const { handle, stats } = await openRegular('edit', target);
  try {
    if (stats.size > MAX_EDIT_BYTES) throw tooLarge(target, Number(stats.size));
    const bytes = await handle.readFile();
    if (bytes.includes(0)) throw binaryFile('edit', target.displayPath);
    return decodeWhole(bytes, target);
  } finally {
    await handle.close();
  }
}

function decodeWhole(bytes: Buffer, { displayPath }: FileTarget): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError('FS_NOT_TEXT', `cannot edit "${displayPath}": invalid UTF-8 text`);
  }
}

const tooLarge = ({ displayPath }: FileTarget, sizeBytes: number) =>
  new ToolError(
    'FS_TOO_LARGE',
    `cannot edit "${displayPath}": ${sizeBytes} bytes exceed the limit of ${MAX_EDIT_BYTES}; use a command such as sed`,
  );

const danglingLink = async ({ displayPath }: FileTarget): Promise<boolean> =>
  (await statsOf(displayPath))?.isSymbolicLink() ?? false;

function assertVersion(
  verb: 'write' | 'edit',
  target: FileTarget,
  stats: BigIntStats | undefined,
  expected: FileVersion,
): void {
  if (!stats) throw stale(verb, target, 'file no longer exists');
  if (versionOf(stats) !== expected) throw stale(verb, target, 'file changed since it was read');
}

const stale = (verb: 'write' | 'edit', { displayPath }: FileTarget, what: string) =>
  new ToolError('FS_STALE_VERSION', `cannot ${verb} "${displayPath}": ${what}`);

const notObserved = ({ displayPath }: FileTarget) =>
  new ToolError('FS_NOT_OBSERVED', `cannot overwrite existing "${displayPath}" without reading it first`);

const splitNote = ({ displayPath }: FileTarget, links: number) =>
  `(Note: "${displayPath}" shared its content with ${links - 1} other hard link${links > 2 ? 's' : ''}; ` +
  'only this name has the new content, the others keep the old.)';
