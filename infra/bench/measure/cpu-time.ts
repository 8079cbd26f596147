import { readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, which Linux fixes at 100 for everything it shows to programs. */
const tickMs = 10;

/** CPU time in ms, to the nearest 10, that a process and its living children have used; NaN without procfs. */
export function cpuTimeMs(pid: number): number {
  try {
    return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + ownMs(each), 0);
  } catch {
    return Number.NaN;
  }
}

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

// A child that ends between being listed and being read counts with its parent, who has reaped it by then.
function ownMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, and those of reaped children: fields 14 to 17 of proc(5), of which the first two are cut off.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
  } catch {
    return 0;
  }
}
