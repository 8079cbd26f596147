import { structuredPatch } from 'diff';
import type { FileState, Snapshot } from './snapshot.ts';

/** One file that is not as it was. */
export interface FileChange {
  path: string;
  kind: 'added' | 'changed' | 'removed';
  /** Lines, where the file is text. */
  added?: number;
  removed?: number;
  /** A unified diff without its head, where the file is text. */
  patch?: string[];
}

/** What happened to a folder between two looks at it, in order of path. */
export function compareSnapshots(before: Snapshot, after: Snapshot): FileChange[] {
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [old, now] = [before.files.get(path), after.files.get(path)];
    if (old?.digest === now?.digest) return [];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ path, kind, ...lineChanges(old, now) }];
  });
}

function lineChanges(old: FileState | undefined, now: FileState | undefined): Omit<FileChange, 'path' | 'kind'> {
  const texts = [old, now].map((state) => (state === undefined ? '' : state.text));
  const [oldText, newText] = texts;
  if (oldText === undefined || newText === undefined) return {};
  return diffTexts(oldText, newText) ?? {};
}

/** Lines added and removed, and the unified diff; `undefined` when finding it takes too long. */
export function diffTexts(
  before: string,
  after: string,
): Required<Pick<FileChange, 'added' | 'removed' | 'patch'>> | undefined {
  // The worst case of a line diff is quadratic.
  const diff = structuredPatch('', '', before, after, '', '', { context: 1, timeout: 500 });
  if (diff === undefined) return undefined;
  const patch = diff.hunks.flatMap((hunk) => [
    `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    ...hunk.lines,
  ]);
  const starting = (sign: string) =>
    diff.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { added: starting('+'), removed: starting('-'), patch };
}

/** A range without lines is named by the line before it. */
const range = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;
