import { readdir, readFile } from 'node:fs/promises';

/** What the kernel tells about a process. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Dead but not yet collected by its parent. */
  zombie: boolean;
  /** Ticks since boot; with the pid it names a process for good. */
  startTime: string;
}

/** Whether this system has the table at all; elsewhere groups are judged by signals alone. */
export const hasProcessTable = process.platform === 'linux';

/** One process, or `undefined` when it is gone. */
export async function readProcess(pid: number): Promise<ProcessEntry | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may itself hold brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (!group || !session || !startTime) return undefined;
  const zombie = state === 'Z' || state === 'X';
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), zombie, startTime };
}

/** Every process there is at about this moment. */
export async function listProcesses(): Promise<ProcessEntry[]> {
  if (!hasProcessTable) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(pids.map((pid) => readProcess(Number(pid))));
  return entries.filter((entry) => entry !== undefined);
}

/** The variables a process was started with; none of a process that is gone or somebody else's. */
export async function readVariables(pid: number): Promise<Readonly<Record<string, string | undefined>>> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const entries = environment.split('\0').map((line) => {
    const [name = '', ...value] = line.split('=');
    return [name, value.join('=')] as const;
  });
  return Object.fromEntries(entries);
}

/** Names the current run of the machine, across which process ids mean nothing. */
export async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'unknown')).trim();
}
