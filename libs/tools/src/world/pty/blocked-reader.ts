import { existsSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';

type Wait = 'read' | 'select' | 'epoll';

/** Numbers of the system calls in which a program waits for input, by architecture; others cannot be told. */
const WAITS: Partial<Record<NodeJS.Architecture, ReadonlyMap<number, Wait>>> = {
  x64: new Map([
    [0, 'read'],
    [23, 'select'],
    [270, 'select'],
    [232, 'epoll'],
    [281, 'epoll'],
    [441, 'epoll'],
  ]),
  arm64: new Map([
    [63, 'read'],
    [72, 'select'],
    [22, 'epoll'],
    [441, 'epoll'],
  ]),
};

/** Whether this system tells what processes wait for. */
export const canSeeReaders = WAITS[process.arch] !== undefined && existsSync('/proc/self/syscall');

/** How often a process has gone to sleep so far; it tells a wait from the same wait before. */
export async function sleepsOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const match = /^voluntary_ctxt_switches:\s*(\d+)/m.exec(status);
  return match ? Number(match[1]) : undefined;
}

/**
 * Whether a process sleeps until its terminal brings input and for nothing else: in a read of it, in a select of
 * standard input alone, or in an event loop that watches it. Linux only; false where that cannot be seen.
 */
export async function isBlockedReader(pid: number): Promise<boolean> {
  const call = await readFile(`/proc/${pid}/syscall`, 'latin1').catch(() => '');
  const [number, ...args] = call.trim().split(' ');
  const wait = number === undefined ? undefined : WAITS[process.arch]?.get(Number(number));
  if (!wait || args.length < 4) return false;
  const at = (index: number) => Number(args[index]);
  switch (wait) {
    case 'read':
      return isTerminal(pid, at(0));
    case 'select':
      return at(0) === 1 && isTerminal(pid, 0);
    case 'epoll':
      return watchesTerminal(pid, at(0));
    default:
      return false;
  }
}

async function isTerminal(pid: number, descriptor: number): Promise<boolean> {
  const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '');
  return target.startsWith('/dev/pts/') || target === '/dev/tty';
}

/** An event loop may also wait for timers or the network; that it watches the terminal is as much as can be seen. */
async function watchesTerminal(pid: number, epoll: number): Promise<boolean> {
  const info = await readFile(`/proc/${pid}/fdinfo/${epoll}`, 'latin1').catch(() => '');
  const watched = [...info.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)];
  for (const [, descriptor, events] of watched) {
    const wantsInput = (Number.parseInt(events ?? '0', 16) & 1) === 1;
    if (wantsInput && (await isTerminal(pid, Number(descriptor)))) return true;
  }
  return false;
}
