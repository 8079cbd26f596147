import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const procfs = existsSync('/proc/self/cmdline');

/** Whether a process with this id exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (procfs) return liveInProcfs(pid);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The words a process was started with, or '' when there is none: how a pid file is told from a recycled pid. */
export function commandLineOf(pid: number): string {
  if (!isAlive(pid)) return '';
  if (!procfs) return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function liveInProcfs(pid: number): boolean {
  try {
    // A killed child nobody has reaped yet still has an entry; the state follows the last bracket of the name.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
