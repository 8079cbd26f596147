import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionId } from '@everturn/core/domain';
import { OWNER_VARIABLE, SESSION_VARIABLE } from './group-registry.ts';
import { listProcesses, readVariables, type ProcessEntry } from './process-table.ts';

const MAX_ROUNDS = 20;

/** Kills until nothing is found any more: a process may start another one while we look. Answers who was killed. */
export async function killAll(find: () => Promise<readonly ProcessEntry[]>): Promise<number[]> {
  const killed: number[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = await find();
    if (found.length === 0) break;
    for (const { pid } of found) {
      try {
        process.kill(pid, 'SIGKILL');
        killed.push(pid);
      } catch {
        // ended by itself
      }
    }
    await sleep(20);
  }
  return killed;
}

/** Kills what an owner's commands left running outside their groups, of one session or of all. Linux only. */
export function killMarked(owner: string, session?: SessionId): Promise<number[]> {
  return killAll(async () => {
    const others = (await listProcesses()).filter(({ pid, zombie }) => pid !== process.pid && !zombie);
    const marks = await Promise.all(others.map(({ pid }) => readVariables(pid)));
    return others.filter((_, index) => {
      const { [OWNER_VARIABLE]: holder, [SESSION_VARIABLE]: of } = marks[index] ?? {};
      return holder === owner && (session === undefined || of === session);
    });
  });
}
