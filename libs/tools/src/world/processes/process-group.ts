import { setTimeout as sleep } from 'node:timers/promises';
import { hasProcessTable, listProcesses } from './process-table.ts';

const POLL_MS = 15;
/** How long what was killed may take to be gone: it may hold much memory, and the machine may be busy. */
const KILLED_MS = 5_000;
/** Looking for zombies reads the whole process table, so it happens on every eighth poll only. */
const ZOMBIE_CHECK_EVERY = 8;

/** `left`: something still runs, which is another user's, or waits in the kernel where no signal reaches it. */
export type Termination = 'gone' | 'left';

/** A process and all its descendants that have not left its group. */
export class ProcessGroup {
  readonly id: number;
  #gone = false;
  #terminating: Promise<Termination> | undefined;

  /** `id` is the pid of a child started as a group leader. */
  constructor(id: number) {
    this.id = id;
  }

  /**
   * SIGTERM, up to `graceMs` ms of patience, SIGKILL; resolves once nothing of the group runs, or with what a
   * few seconds more did not change. A second call joins the first. A group once seen gone is never signalled
   * again, its number may be somebody else's.
   */
  terminate(graceMs: number): Promise<Termination> {
    this.#terminating ??= this.#terminate(graceMs).finally(() => {
      if (!this.#gone) this.#terminating = undefined;
    });
    return this.#terminating;
  }

  /** SIGKILL at once, without waiting. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  /** Whether anything of the group still runs; zombies do not count. */
  async isAlive(): Promise<boolean> {
    if (this.#signal(0) === 'gone') return false;
    if (!hasProcessTable) return true;
    const members = (await listProcesses()).filter(({ group }) => group === this.id);
    if (members.some(({ zombie }) => !zombie)) return true;
    this.#gone = true;
    return false;
  }

  async #terminate(graceMs: number): Promise<Termination> {
    if (this.#signal('SIGTERM') === 'refused') return 'left';
    if (await this.#waitUntilGone(performance.now() + graceMs)) return 'gone';
    if (this.#signal('SIGKILL') === 'refused') return 'left';
    return (await this.#waitUntilGone(performance.now() + KILLED_MS)) ? 'gone' : 'left';
  }

  async #waitUntilGone(deadline: number): Promise<boolean> {
    for (let poll = 0; ; poll++) {
      const alive = poll % ZOMBIE_CHECK_EVERY === 0 ? await this.isAlive() : this.#signal(0) !== 'gone';
      if (!alive) return true;
      if (performance.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
  }

  /** `gone`: there was nothing to signal; `refused`: all of it runs under other users. */
  #signal(signal: NodeJS.Signals | 0): 'sent' | 'refused' | 'gone' {
    if (this.#gone) return 'gone';
    try {
      process.kill(-this.id, signal);
      return 'sent';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') return 'refused';
      this.#gone = true;
      return 'gone';
    }
  }
}
