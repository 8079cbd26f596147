import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** The process that holds, or held, a host: enough to tell whether it lives, on this machine and since this boot. */
const Holder = z.object({ holder: z.string(), pid: z.int().positive(), startTime: z.string(), boot: z.string() });
type Holder = z.infer<typeof Holder>;

/** Describes this process. */
export async function describeSelf(name: string): Promise<Holder> {
  const [boot, startTime] = await Promise.all([bootId(), startTimeOf(process.pid)]);
  return { holder: name, pid: process.pid, startTime: startTime ?? '', boot };
}

/** Leaves word of this process for whoever starts after it. */
export async function writeHolder(dataDir: string, host: string, self: Holder): Promise<void> {
  const file = fileOf(dataDir, host);
  await mkdir(join(dataDir, 'hosts'), { recursive: true });
  await writeFile(`${file}.${process.pid}`, JSON.stringify(self));
  await rename(`${file}.${process.pid}`, file);
}

/** The last holder known here if it is surely dead; its lease need not be waited for. */
export async function findDeadHolder(dataDir: string, host: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir, host), 'utf8').catch(() => undefined);
  const known = text === undefined ? undefined : Holder.safeParse(parse(text)).data;
  if (!known || known.startTime === '') return undefined;
  const alive = known.boot === (await bootId()) && known.startTime === (await startTimeOf(known.pid));
  return alive ? undefined : known.holder;
}

const fileOf = (dataDir: string, host: string): string => join(dataDir, 'hosts', `${host}.json`);

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
}

/** Ticks since boot at which a process began: a reused pid has another. `undefined` when there is none (or no /proc). */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; its parent has merely not noticed.
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
