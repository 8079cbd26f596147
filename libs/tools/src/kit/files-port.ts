import type { SandboxPolicy } from './sandbox-port.ts';

/** Device, inode, size, mtime and ctime in ns, as one comparable string: equal means the file is as it was. */
export type FileVersion = string;

/** A file as spelled (`displayPath`, absolute) and as it is (`identity`: its real path, stable across creation). */
export interface FileTarget {
  displayPath: string;
  identity: string;
}

export interface FileInput {
  path: string;
  /** Absolute; relative paths start here. */
  cwd: string;
  signal: AbortSignal;
}

/** A text file being read: strict UTF-8 without its byte order mark. Iterate to the end or leave the loop. */
export interface TextFile extends FileTarget {
  version: FileVersion;
  sizeBytes: number;
  /** Throws `FS_NOT_TEXT` at the first byte that is not text, `FS_ABORTED` on the signal. */
  chunks: AsyncIterable<string>;
}

/** What must hold for a write to happen; absent means write whatever is there. */
export type WriteIntent = { kind: 'create-if-absent' } | { kind: 'replace-if-version'; version: FileVersion };

export interface WriteFileInput extends FileInput {
  content: string;
  /** Asked once it is known which file is meant; what it throws leaves the file untouched. */
  intent?(target: FileTarget): Promise<WriteIntent | undefined>;
  fence?: SandboxPolicy;
}

export interface EditFileInput extends FileInput {
  fence?: SandboxPolicy;
  /** The version the edit was made for, asked once it is known which file is meant; what it throws is the outcome. */
  expectedVersion?(target: FileTarget): Promise<FileVersion | undefined>;
  /** What `change` is given: plain line feeds, put back as the file had them, or the text as it stands (default: `lf`). */
  lineEnds?: 'lf' | 'as-they-are';
  /** Pure; gets the text without its byte order mark and returns the new one; what it throws leaves the file untouched. */
  change(current: { displayPath: string; text: string }): string;
}

/** One place of a change with three lines around it; `oldText` is null where nothing stood before. */
export interface DiffHunk {
  oldText: string | null;
  newText: string;
}

/** A published change. `before` is null for creations, for what was not text, and for 10 MiB or more. */
export interface FileChange extends FileTarget {
  operation: 'create' | 'update';
  before: string | null;
  after: string;
  hunks: DiffHunk[];
  version: FileVersion;
  /** What the caller should be told besides, for one that a hard link was split. */
  note?: string;
}

export type FileStat =
  | (FileTarget & { kind: 'absent' })
  | (FileTarget & { kind: 'file' | 'directory' | 'other'; version: FileVersion; sizeBytes: number });

export interface ListFolderInput extends FileInput {
  /** How many levels down, from 1. */
  depth: number;
  /** Leaves out what is named so, with all it holds. */
  skip?(name: string): boolean;
}

/** Something in a folder; `other` is also a symbolic link, wherever it leads. */
export interface FolderEntry {
  kind: 'file' | 'directory' | 'other';
  path: string;
}

export interface ReadBytesInput extends FileInput {
  maxBytes: number;
}

export interface BinaryFile extends FileTarget {
  version: FileVersion;
  bytes: Uint8Array;
}

/** Files of the machine. Every failure is a `ToolError` with an `FS_…` code. */
export interface FilesPort {
  stat(input: FileInput): Promise<FileStat>;
  readText(input: FileInput): Promise<TextFile>;
  /** All of a file; throws `FS_TOO_LARGE` above the limit, also for one that grows meanwhile. */
  readBytes(input: ReadBytesInput): Promise<BinaryFile>;
  /** What a folder holds, by code points of the path. */
  list(input: ListFolderInput): Promise<FolderEntry[]>;
  /** All or nothing: a crash or cancel leaves the old file. `FS_SANDBOX_DENIED` outside of its fence. */
  write(input: WriteFileInput): Promise<FileChange>;
  edit(input: EditFileInput): Promise<FileChange>;
}
