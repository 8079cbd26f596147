import { hunksOf, resultText, stringField, type CallPresenter, type ResultPresenter } from '../kit/index.ts';

/** What the call would change, as a diff before anything has happened. */
export const presentEditCall: CallPresenter = (args) => {
  const path = stringField(args, 'file_path');
  const oldText = stringField(args, 'old_string');
  const newText = stringField(args, 'new_string');
  if (path === undefined || oldText === undefined || newText === undefined) return undefined;
  return { card: 'diff', title: `Edit ${path}`, path, diffs: [{ oldText, newText }] };
};

/** The change as one diff a place; a failure as text. */
export const presentEditResult: ResultPresenter = (args, result) => {
  const path = stringField(result.meta, 'path') ?? stringField(args, 'file_path');
  if (path === undefined) return undefined;
  const diffs = hunksOf(result.meta);
  if (result.isError || diffs.length === 0)
    return { card: 'generic', title: `Edit ${path}`, detail: resultText(result) };
  return { card: 'diff', title: `Edit ${path}`, path, diffs };
};
