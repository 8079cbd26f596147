import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { GroupGuard } from './group-guard.ts';
import type { ProcessGroup } from './process-group.ts';
import { bootId, readProcess } from './process-table.ts';

/** Marks every process of a worker, also one that left its group, so that it can be found when the worker is dead. */
export const OWNER_VARIABLE = 'EVERTURN_PROCESS_OWNER';
/** Beside it, whose session started it. */
export const SESSION_VARIABLE = 'EVERTURN_PROCESS_SESSION';

const SWEEP_MS = 2_000;

/** Where workers of one data directory leave word of what they run. */
export const ownersFolder = (dataDir: string): string => join(dataDir, 'process-owners');

/** First line of an owner's file; each other line is the number of a group. */
export interface OwnerRecord {
  owner: string;
  pid: number;
  startTime: string;
  bootId: string;
}

interface Entry {
  group: ProcessGroup;
  session: SessionId | undefined;
}

/** The process groups of this worker that may still run. */
export class GroupRegistry {
  readonly owner = randomBytes(12).toString('hex');
  readonly #entries = new Set<Entry>();
  readonly #guard = new GroupGuard();
  readonly #file: string | undefined;
  // A number must be forgotten long before the system can give it to somebody else.
  readonly #sweeper = setInterval(() => void this.sweep(), SWEEP_MS).unref();

  private constructor(dataDir: string | undefined) {
    this.#file = dataDir === undefined ? undefined : join(ownersFolder(dataDir), this.owner);
  }

  /** Without a data directory nothing survives for {@link reapOrphans}; the guard works all the same. */
  static async open(dataDir: string | undefined): Promise<GroupRegistry> {
    const registry = new GroupRegistry(dataDir);
    if (dataDir !== undefined && registry.#file !== undefined) {
      const startTime = (await readProcess(process.pid))?.startTime ?? '';
      const record: OwnerRecord = { owner: registry.owner, pid: process.pid, startTime, bootId: await bootId() };
      mkdirSync(ownersFolder(dataDir), { recursive: true, mode: 0o700 });
      writeFileSync(registry.#file, `${JSON.stringify(record)}\n`, { flag: 'wx', mode: 0o600 });
    }
    registry.#guard.start();
    return registry;
  }

  /** The variables every process of this worker is started with. */
  marks(session: SessionId | undefined): Record<string, string> {
    return { [OWNER_VARIABLE]: this.owner, ...(session !== undefined && { [SESSION_VARIABLE]: session }) };
  }

  /** Records a group at once: nothing may run between its start and this, so the write is synchronous. */
  add(group: ProcessGroup, session: SessionId | undefined): void {
    this.#entries.add({ group, session });
    this.#guard.add(group.id);
    if (this.#file !== undefined) appendFileSync(this.#file, `${group.id}\n`);
  }

  /** Forgets the groups that have ended by themselves. */
  async sweep(): Promise<void> {
    await Promise.all(
      [...this.#entries].map(async (entry) => {
        if (!(await entry.group.isAlive())) this.#forget(entry);
      }),
    );
  }

  /** Ends what the given session still runs, or with `all` everything. */
  async terminate(of: { session: SessionId } | 'all', graceMs: number): Promise<void> {
    const chosen = [...this.#entries].filter(({ session }) => of === 'all' || session === of.session);
    await Promise.all(
      chosen.map(async (entry) => {
        if ((await entry.group.terminate(graceMs)) === 'gone') this.#forget(entry);
      }),
    );
  }

  /** Ends everything, then the guard and the record. */
  async dispose(graceMs: number): Promise<void> {
    clearInterval(this.#sweeper);
    await this.terminate('all', graceMs);
    this.#guard.stop();
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
  }

  #forget(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#guard.remove(entry.group.id);
  }
}
