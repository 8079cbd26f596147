import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS_FAILURE } from './limits.ts';

const ROOTS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'];
let made = 0;

/** A group of the kernel's that counts the tasks in it. */
export interface TaskGroup {
  /** Stands before the command and puts it into the group. */
  prefix: string[];
  /** Removes the group once nothing runs in it. */
  release(): Promise<void>;
}

/** Makes a group with at most so many tasks: the kernel does not hold root to a limit of processes otherwise. */
export async function openTaskGroup(processes: number): Promise<TaskGroup | undefined> {
  for (const root of ROOTS) {
    const folder = join(root, `everturn-${process.pid}-${++made}`);
    try {
      await mkdir(folder);
    } catch {
      continue; // no such hierarchy, or one that is not ours to write
    }
    const release = () => remove(folder);
    try {
      if (!existsSync(join(folder, 'pids.max'))) throw new Error('this hierarchy counts no tasks');
      await writeFile(join(folder, 'pids.max'), String(processes));
      return { prefix: ['sh', '-c', enter(folder), 'sh'], release };
    } catch {
      await release();
    }
  }
  return undefined;
}

const enter = (folder: string): string =>
  `echo $$ > '${folder}/cgroup.procs' || { echo '${LIMITS_FAILURE}the group cannot be entered' >&2; exit 125; }\nexec "$@"`;

/** The kernel lets go of a group a moment after its last task has ended. */
async function remove(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const busy = await rmdir(folder).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'EBUSY',
    );
    if (!busy) return;
    await sleep(20);
  }
}
