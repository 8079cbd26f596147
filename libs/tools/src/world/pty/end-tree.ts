import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses, readProcess, type ProcessEntry } from '../processes/process-table.ts';

const POLL_MS = 15;
const MAX_ROUNDS = 20;

export interface Tree {
  /** Leads the terminal's session; as it was when it began. */
  shell: ProcessEntry;
  /** What {@link innerShell} found: the shell itself, where a sandbox's runner leads the session. */
  inner: readonly ProcessEntry[];
  /** Variables that all of its processes were started with, and no others. */
  marks: Readonly<Record<string, string>>;
}

/** From the process that stands at the prompt up to the one that leads the session, without that; nothing if it is that. */
export async function innerShell(atPrompt: number | undefined, leader: ProcessEntry): Promise<ProcessEntry[]> {
  const chain: ProcessEntry[] = [];
  for (let pid = atPrompt; pid !== undefined && pid !== leader.pid;) {
    const entry = await readProcess(pid);
    if (!entry) return [];
    chain.push(entry);
    pid = entry.parent;
  }
  return chain;
}

/**
 * Ends what was started in a terminal, wherever it went: SIGTERM to all but the shell, which would not heed it, patience,
 * SIGKILL, the shell last. Each is named by pid and start time, so that a number given out anew is left alone.
 */
export async function endTree(tree: Tree, graceMs: number): Promise<void> {
  const shells = [...tree.inner, tree.shell];
  const first = await othersIn(tree);
  for (const entry of first) await signal(entry, 'SIGTERM');
  await untilGone(first, graceMs);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = await othersIn(tree); // those that would not go, and what they started meanwhile
    if (left.length === 0) break;
    for (const entry of left) await signal(entry, 'SIGKILL');
    await untilGone(left, graceMs);
  }
  for (const shell of shells) await signal(shell, 'SIGHUP');
  for (const shell of shells) await signal(shell, 'SIGKILL');
  await untilGone(shells, graceMs);
}

/** Every process of the terminal that runs now. */
export async function findTree({ shell, marks }: Tree): Promise<ProcessEntry[]> {
  const entries = (await listProcesses()).filter((entry) => !entry.zombie && entry.pid !== process.pid);
  const leader = entries.find(({ pid }) => pid === shell.pid);
  // A session's number is not given out anew while anybody is in the session.
  const isOurs = leader === undefined || leader.startTime === shell.startTime;
  const found = await Promise.all(
    entries.map(async ({ pid, session }) => (isOurs && session === shell.pid) || carries(pid, marks)),
  );
  return entries.filter((_, index) => found[index]);
}

const othersIn = async (tree: Tree): Promise<ProcessEntry[]> =>
  (await findTree(tree)).filter(
    ({ pid, startTime }) =>
      pid !== tree.shell.pid && !tree.inner.some((held) => held.pid === pid && held.startTime === startTime),
  );

async function carries(pid: number, marks: Tree['marks']): Promise<boolean> {
  const variables = new Set((await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0'));
  return Object.entries(marks).every(([name, value]) => variables.has(`${name}=${value}`));
}

async function signal(entry: ProcessEntry, name: NodeJS.Signals): Promise<void> {
  if (!(await isSame(entry))) return;
  try {
    process.kill(entry.pid, name);
  } catch {
    // ended by itself
  }
}

async function isSame({ pid, startTime }: ProcessEntry): Promise<boolean> {
  const now = await readProcess(pid);
  return now?.startTime === startTime && !now.zombie;
}

async function untilGone(entries: readonly ProcessEntry[], ms: number): Promise<void> {
  for (const deadline = performance.now() + ms; ; await sleep(POLL_MS)) {
    const alive = await Promise.all(entries.map((entry) => isSame(entry)));
    if (!alive.includes(true) || performance.now() >= deadline) return;
  }
}
