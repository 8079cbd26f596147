import type { Forgetful, ObservationBudget } from './observation-budget.ts';
import type { FileTarget, FileVersion, WriteIntent } from './files-port.ts';
import { isToolError, ToolError } from './tool-error.ts';

/** What a session saw of a file when it last looked. */
export type FileObservation = { kind: 'present'; version: FileVersion } | { kind: 'absent' };

/** What one session has seen of files, by identity; gone with the process that holds it. */
export class FileObservations implements Forgetful {
  readonly #seen = new Map<string, FileObservation>();
  readonly #budget: ObservationBudget | undefined;

  constructor(budget?: ObservationBudget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#seen.size;
  }

  last({ identity }: FileTarget): FileObservation | undefined {
    return this.#seen.get(identity);
  }

  record({ identity }: FileTarget, seen: FileObservation): void {
    this.#seen.set(identity, seen);
    this.#budget?.count(this);
  }

  forget(): void {
    this.#seen.clear();
  }

  async dispose(): Promise<void> {
    this.#budget?.drop(this);
    this.forget();
  }
}

/** Decides about changes of files and hears what was seen of them. Absent from a call: every change is let through. */
export interface FilePolicy {
  /** What must hold for a write; `undefined` = whatever is there is replaced. */
  writeIntent(file: FileTarget): Promise<WriteIntent | undefined>;
  /** The version an edit was made for; `undefined` = any. Throws a `ToolError` to refuse it. */
  editVersion(file: FileTarget): Promise<FileVersion | undefined>;
  /** A failure of whoever listens is the call's, though what was done stays done. */
  observed(file: FileTarget, seen: FileObservation): Promise<void>;
}

/** Read before write: what was never seen may only be created, what was seen must still be as it was. */
export function writeIntentAfter(last: FileObservation | undefined): WriteIntent {
  return last?.kind === 'present'
    ? { kind: 'replace-if-version', version: last.version }
    : { kind: 'create-if-absent' };
}

/** Read before edit: throws `FS_NOT_OBSERVED` for a file never seen, `FS_NOT_FOUND` for one seen to be missing. */
export function editVersionAfter(last: FileObservation | undefined, { displayPath }: FileTarget): FileVersion {
  if (last?.kind === 'present') return last.version;
  throw last
    ? new ToolError('FS_NOT_FOUND', `cannot edit "${displayPath}": not found`)
    : new ToolError('FS_NOT_OBSERVED', `edit requires reading "${displayPath}" first`);
}

const REMEDIES: Readonly<Record<string, string>> = {
  FS_NOT_OBSERVED: ' — read the file, then retry',
  FS_STALE_VERSION: ' — re-read the file, then retry',
};

/** Runs a change; a refusal that reading mends says so. */
export async function withRemedy<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const remedy = isToolError(error) ? REMEDIES[error.code] : undefined;
    if (!isToolError(error) || remedy === undefined) throw error;
    throw new ToolError(error.code, `${error.message}${remedy}`);
  }
}
