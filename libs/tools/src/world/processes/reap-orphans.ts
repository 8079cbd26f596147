import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_VARIABLE, ownersFolder, type OwnerRecord } from './group-registry.ts';
import { killAll } from './kill-marked.ts';
import { bootId, listProcesses, readProcess, readVariables, type ProcessEntry } from './process-table.ts';

export interface ReapOrphansResult {
  /** Pids that were killed. */
  killed: number[];
}

/**
 * Kills what dead workers of this data directory left running; call it once at start, before any tool runs.
 * A process counts as theirs when it carries the worker's mark, or belongs to a recorded group whose members
 * began under that worker; a reused number is left alone. Linux only; elsewhere the guard must do.
 */
export async function reapOrphans(dataDir: string): Promise<ReapOrphansResult> {
  const folder = ownersFolder(dataDir);
  const killed = new Set<number>();
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const left = await readOwner(file);
    if (left && (await isRunning(left.record))) continue;
    if (left && left.record.bootId === (await bootId()))
      for (const pid of await killAll(() => findLeft(left))) killed.add(pid);
    await rm(file, { force: true });
  }
  return { killed: [...killed] };
}

interface Left {
  record: OwnerRecord;
  groups: Set<number>;
}

async function readOwner(file: string): Promise<Left | undefined> {
  const [first, ...lines] = (await readFile(file, 'utf8')).split('\n');
  try {
    const groups = new Set(lines.map(Number).filter((group) => Number.isInteger(group) && group > 1));
    return { record: JSON.parse(first ?? '') as OwnerRecord, groups };
  } catch {
    return undefined; // torn by a crash while the file was made, so nothing had been started
  }
}

const isRunning = async ({ pid, startTime, bootId: boot }: OwnerRecord): Promise<boolean> => {
  const entry = await readProcess(pid);
  return entry?.startTime === startTime && !entry.zombie && boot === (await bootId());
};

async function findLeft({ record, groups }: Left): Promise<ProcessEntry[]> {
  const others = (await listProcesses()).filter(({ pid, zombie }) => pid !== process.pid && !zombie);
  const marked = await Promise.all(
    others.map(async ({ pid }) => (await readVariables(pid))[OWNER_VARIABLE] === record.owner),
  );
  return others.filter((entry, index) => marked[index] || isUnmarkedMember(entry, groups, others));
}

/** A process that wiped its environment, in a group without its leader: only then is the number surely the old one. */
function isUnmarkedMember(entry: ProcessEntry, groups: Set<number>, others: ProcessEntry[]): boolean {
  return groups.has(entry.group) && entry.session === entry.group && !others.some(({ pid }) => pid === entry.group);
}
