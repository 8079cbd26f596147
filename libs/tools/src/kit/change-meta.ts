import type { JsonValue } from '@everturn/core/domain';
import type { FileChange } from './files-port.ts';
import { utf8Length } from './utf8.ts';

/** What displays get of a change at most, in bytes; the file itself has the rest. */
const MAX_HUNK_BYTES = 65_536;

/** A change for displays: its diffs from the front, as many as fit, and whether that is all. */
export function changeMeta({ displayPath, operation, hunks }: FileChange): JsonValue {
  const kept: { oldText: string | null; newText: string }[] = [];
  let bytes = 0;
  for (const { oldText, newText } of hunks) {
    bytes += utf8Length(oldText ?? '') + utf8Length(newText);
    if (bytes > MAX_HUNK_BYTES) break;
    kept.push({ oldText, newText });
  }
  return {
    path: displayPath,
    operation,
    hunks: kept,
    ...(kept.length < hunks.length && { truncated: true }),
  };
}
