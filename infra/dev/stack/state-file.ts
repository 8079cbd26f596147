import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** One running service as state.json shows it. */
export interface ServiceState {
  readonly pid: number;
  /** What it is reached by, without secrets. */
  readonly detail: string;
}

/** What runs, for `status`, `down`, the command line and a second `up`. */
export interface StackState {
  readonly supervisorPid: number;
  readonly startedAt: number;
  /** Everything has started and the API answers. */
  readonly ready: boolean;
  readonly services: Record<string, ServiceState>;
  /** The environment our processes got; holds the database password, so the file is 0600. */
  readonly environment: Record<string, string>;
}

/** Reads state.json; undefined when there is none or a crash left half of one. */
export function readState(file: string): StackState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StackState;
  } catch {
    return undefined;
  }
}

/** Replaces state.json in one move, so that no reader sees half of it. */
export function writeState(file: string, state: StackState): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes it: nothing runs. */
export function removeState(file: string): void {
  rmSync(file, { force: true });
}
