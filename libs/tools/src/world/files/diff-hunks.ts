import { structuredPatch } from 'diff';
import type { DiffHunk } from '../../kit/index.ts';

const CONTEXT_LINES = 3;
/** Comparing is quadratic at worst; a display is not worth more than this. */
const TIME_LIMIT_MS = 250;

/** The places where two texts differ, each with its surroundings; one coarse place where comparing takes too long. */
export function diffHunks(before: string, after: string): DiffHunk[] {
  if (before === after) return [];
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, timeout: TIME_LIMIT_MS });
  if (!patch) return [coarseHunk(before, after)];
  return patch.hunks.map(({ lines }) => {
    const side = (skip: '+' | '-') =>
      lines.flatMap((line) => (line.startsWith(skip) || line.startsWith('\\') ? [] : [line.slice(1)]));
    const oldLines = side('+');
    return { oldText: oldLines.length > 0 ? oldLines.join('\n') : null, newText: side('-').join('\n') };
  });
}

function coarseHunk(before: string, after: string): DiffHunk {
  const oldLines = before.split('\n');
  const newLines = after.split('\n');
  const limit = Math.min(oldLines.length, newLines.length);
  let first = 0;
  while (first < limit && oldLines[first] === newLines[first]) first++;
  let last = 0;
  while (last < limit - first && oldLines.at(-1 - last) === newLines.at(-1 - last)) last++;
  const part = (lines: string[]) =>
    lines.slice(Math.max(0, first - CONTEXT_LINES), lines.length - Math.max(0, last - CONTEXT_LINES)).join('\n');
  return { oldText: part(oldLines), newText: part(newLines) };
}
