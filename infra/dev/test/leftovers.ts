import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Node's cache of compiled code, which it keeps for whoever comes next. */
const NODE_CACHE = 'node-compile-cache';
/** How long processes that were told to end, or lost their parent, may take about it. */
const PATIENCE_MS = 15_000;

/**
 * What a run has left that worked in a folder of its own: processes that know the folder by their variables, arguments
 * or directory (with them terminals and ports), then files in it. Each as a line for people; none where all is clean.
 */
export async function leftovers(folder: string, patienceMs = PATIENCE_MS): Promise<string[]> {
  const until = performance.now() + patienceMs;
  let processes = await processesOf(folder);
  while (processes.length > 0 && performance.now() < until) {
    await sleep(100);
    processes = await processesOf(folder);
  }
  const files = (await readdir(folder)).filter((name) => name !== NODE_CACHE);
  return [...processes, ...files.map((name) => `the file ${name} in the folder for temporary files`)];
}

/** None on systems without a process table. */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [variables, argv, cwd] = await Promise.all([
        readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ]);
      if (Number(pid) === process.pid || ![variables, argv, cwd].some((text) => text.includes(folder))) return [];
      return [`the process ${pid}: ${argv.replaceAll('\0', ' ').trim().slice(0, 200)}`];
    }),
  );
  return found.flat();
}
