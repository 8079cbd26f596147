import type { JsonValue } from '@everturn/core/domain';
import type { DiffHunk } from './files-port.ts';
import type { ToolExecutionResult } from './tool-result.ts';

/** How a display shows a call or its result; texts are raw, displays must make control characters inert. */
export type ToolView =
  | { card: 'generic'; title: string; detail?: string }
  | {
      card: 'terminal';
      title: string;
      command: string;
      output?: string;
      /** Read back from the marker at the very end; absent while the command runs. */
      exit?: { code: number } | { signal: string };
    }
  | { card: 'diff'; title: string; path: string; diffs: DiffHunk[] };

/**
 * Presenters are pure and depend on their inputs alone, because they run live and on replay;
 * `undefined` for shapes they do not know (an old log), never a throw.
 */
export type CallPresenter = (args: unknown) => ToolView | undefined;
export type ResultPresenter = (args: unknown, result: ToolExecutionResult) => ToolView | undefined;

type Fields = { readonly [name: string]: unknown };

/** The value as an object to look into, or an empty one. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** A string member, or `undefined` when it is absent or something else. */
export const stringField = (value: unknown, name: string): string | undefined => {
  const found = fieldsOf(value)[name];
  return typeof found === 'string' ? found : undefined;
};

/** The text blocks of a result, joined. */
export const resultText = (result: Pick<ToolExecutionResult, 'content'>): string =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** A presenter for calls that are best named by one string argument. */
export const titledBy =
  (verb: string, field: string): CallPresenter =>
  (args) => {
    const value = stringField(args, field);
    return value === undefined ? undefined : { card: 'generic', title: `${verb} ${value}` };
  };

/** The diff hunks a body left in its meta, or none. */
export function hunksOf(meta: JsonValue | undefined): DiffHunk[] {
  const hunks = fieldsOf(meta)['hunks'];
  if (!Array.isArray(hunks)) return [];
  return hunks.filter(
    (hunk): hunk is DiffHunk =>
      typeof fieldsOf(hunk)['newText'] === 'string' &&
      (fieldsOf(hunk)['oldText'] === null || typeof fieldsOf(hunk)['oldText'] === 'string'),
  );
}

/** A presenter for changes of a file: its diffs where it has some, otherwise (a creation, a failure) its text. */
export const changedBy =
  (verb: string): ResultPresenter =>
  (args, result) => {
    const path = stringField(result.meta, 'path') ?? stringField(args, 'file_path');
    if (path === undefined) return undefined;
    const title = `${verb} ${path}`;
    const diffs = hunksOf(result.meta);
    return result.isError || diffs.length === 0
      ? { card: 'generic', title, detail: resultText(result) }
      : { card: 'diff', title, path, diffs };
  };
