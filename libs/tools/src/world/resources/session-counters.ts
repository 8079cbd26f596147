import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';

/** Numbers that a session was given on this machine, so that none is given twice, whichever process gives it. */
export class SessionCounters {
  readonly #folder: string | undefined;
  readonly #given = new Map<SessionId, Record<string, number>>();

  /** Without a folder they end with this process. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** The next number of that name, from 1. */
  next(session: SessionId, name: string): number {
    const given = this.#read(session);
    const number = (given[name] ?? 0) + 1;
    this.#write(session, { ...given, [name]: number });
    return number;
  }

  /** The last number of that name; 0 = none. */
  given(session: SessionId, name: string): number {
    return this.#read(session)[name] ?? 0;
  }

  forget(session: SessionId): void {
    this.#given.delete(session);
    const file = this.#fileOf(session);
    if (file !== undefined) rmSync(file, { force: true });
  }

  #read(session: SessionId): Record<string, number> {
    return this.#given.get(session) ?? this.#stored(session);
  }

  #stored(session: SessionId): Record<string, number> {
    const file = this.#fileOf(session);
    if (file === undefined) return {};
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
    } catch {
      return {}; // none yet
    }
  }

  #write(session: SessionId, given: Record<string, number>): void {
    this.#given.set(session, given);
    const file = this.#fileOf(session);
    if (file === undefined || this.#folder === undefined) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    // Before the number is used, whole or not at all.
    writeFileSync(`${file}.new`, JSON.stringify(given), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  #fileOf(session: SessionId): string | undefined {
    if (this.#folder === undefined) return undefined;
    return join(this.#folder, createHash('sha256').update(session).digest('hex').slice(0, 32));
  }
}
