import { setTimeout as sleep } from 'node:timers/promises';
import { hasProcessTable, listProcesses } from './process-table.ts';

const POLL_MS = 15;
/** Looking for zombies reads the whole process table, so it happens on every eighth poll only. */
const ZOMBIE_CHECK_EVERY = 8;

/** A process and all its descendants that have not left its group. */
export class ProcessGroup {
  readonly id: number;
  #gone = false;
  #terminating: Promise<void> | undefined;

  /** `id` is the pid of a child started as a group leader. */
  constructor(id: number) {
    this.id = id;
  }

  /**
   * SIGTERM, up to `graceMs` ms of patience, SIGKILL; resolves once nothing of the group runs. A second
   * call joins the first. A group once seen gone is never signalled again, its number may be somebody else's.
   */
  terminate(graceMs: number): Promise<void> {
    this.#terminating ??= this.#terminate(graceMs);
    return this.#terminating;
  }

  /** SIGKILL at once, without waiting. */
  kill(): void {
    this.#signal('SIGKILL');
  }

  /** Whether anything of the group still runs; zombies do not count. */
  async isAlive(): Promise<boolean> {
    if (!this.#signal(0)) return false;
    if (!hasProcessTable) return true;
    const members = (await listProcesses()).filter(({ group }) => group === this.id);
    if (members.some(({ zombie }) => !zombie)) return true;
    this.#gone = true;
    return false;
  }

  async #terminate(graceMs: number): Promise<void> {
    this.#signal('SIGTERM');
    if (await this.#waitUntilGone(performance.now() + graceMs)) return;
    this.#signal('SIGKILL');
    await this.#waitUntilGone(Infinity);
  }

  async #waitUntilGone(deadline: number): Promise<boolean> {
    for (let poll = 0; ; poll++) {
      const alive = poll % ZOMBIE_CHECK_EVERY === 0 ? await this.isAlive() : this.#signal(0);
      if (!alive) return true;
      if (performance.now() >= deadline) return false;
      await sleep(POLL_MS);
    }
  }

  /** False when there was nothing to signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#gone) return false;
    try {
      process.kill(-this.id, signal);
      return true;
    } catch (error) {
      const gone = (error as NodeJS.ErrnoException).code === 'ESRCH';
      if (gone) this.#gone = true;
      return !gone; // EPERM: it runs, under another user
    }
  }
}
