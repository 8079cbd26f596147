import { hunksOf, resultText, stringField, titledBy, type ResultPresenter } from '../kit/index.ts';

export const presentWriteCall = titledBy('Write', 'file_path');

/** The change as diffs; a creation or a failure as text. */
export const presentWriteResult: ResultPresenter = (args, result) => {
  const path = stringField(result.meta, 'path') ?? stringField(args, 'file_path');
  if (path === undefined) return undefined;
  const diffs = hunksOf(result.meta);
  if (result.isError || diffs.length === 0)
    return { card: 'generic', title: `Write ${path}`, detail: resultText(result) };
  return { card: 'diff', title: `Write ${path}`, path, diffs };
};
