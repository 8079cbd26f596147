import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from './workspace.ts';

/** A file of one line whose NUL comes too late to be taken for a binary file at first sight. */
function writeLateNul(path: string, bytes: number): void {
  writeFileSync(path, 'x'.repeat(9_000));
  truncateSync(path, bytes);
}

/** What reading such a file answers, and by how many bytes this process grew. */
export async function readLateNul(bytes: number): Promise<{ text: string; grown: number }> {
  const { cwd, call } = await openWorkspace();
  writeLateNul(join(cwd, 'odd'), bytes);
  const before = process.memoryUsage().rss;
  const { text } = await call('read', { file_path: 'odd' });
  return { text, grown: process.memoryUsage().rss - before };
}
