import { readFile } from 'node:fs/promises';
import { listProcesses, readProcess } from '../processes/process-table.ts';
import { isBlockedReader, sleepsOf } from './blocked-reader.ts';

/** What runs in the foreground of a terminal, seen through any process of it. */
export class Foreground {
  readonly #pid: number;
  /** How often each process had slept when input was last written. */
  #before = new Map<number, number>();

  /** `pid` leads the terminal's session. */
  constructor(pid: number) {
    this.#pid = pid;
  }

  /** The number of the foreground group; `undefined` when the terminal is gone or cannot be asked. */
  async group(): Promise<number | undefined> {
    const stat = await readFile(`/proc/${this.#pid}/stat`, 'latin1').catch(() => undefined);
    const group = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[5]);
    return group > 0 ? group : undefined;
  }

  /** Remembers who sleeps how long, so that {@link reader} tells a new wait from one that was there before a write. */
  async mark(): Promise<void> {
    const sleeps = await Promise.all(
      (await this.#members()).map(async (pid) => [pid, (await sleepsOf(pid)) ?? -1] as const),
    );
    this.#before = new Map(sleeps);
  }

  /** Who waits for input, and for the how-manieth time it sleeps; `undefined` when nobody surely does. */
  async reader(): Promise<string | undefined> {
    for (const pid of await this.#members()) {
      const sleeps = await sleepsOf(pid);
      if (sleeps === undefined || this.#before.get(pid) === sleeps) continue;
      if (await isBlockedReader(pid)) return `${pid}:${sleeps}`;
    }
    return undefined;
  }

  async #members(): Promise<number[]> {
    const group = await this.group();
    if (group === undefined) return [];
    const leader = await readProcess(group);
    const others = (await this.#descendants()).filter(({ pid }) => pid !== group);
    return [...(leader ? [leader] : []), ...others]
      .filter((entry) => entry.group === group && !entry.zombie)
      .map(({ pid }) => pid);
  }

  async #descendants() {
    const found = await childrenOf(this.#pid);
    if (found === undefined) return listProcesses(); // a kernel that keeps no list of children
    const entries = await Promise.all([this.#pid, ...found].map((pid) => readProcess(pid)));
    return entries.filter((entry) => entry !== undefined);
  }
}

/** All descendants as the kernel lists them; `undefined` when it does not. */
async function childrenOf(pid: number): Promise<number[] | undefined> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => undefined);
  if (list === undefined) return undefined;
  const children = list.split(' ').filter(Boolean).map(Number);
  const deeper = await Promise.all(children.map((child) => childrenOf(child)));
  return [...children, ...deeper.flatMap((pids) => pids ?? [])];
}
