import type { StackPaths } from './paths.ts';
import type { Tell } from './progress.ts';

/** A service that has started. */
export interface RunningService {
  readonly pid: number;
  /** What it is reached by, without secrets; shown to the user. */
  readonly detail: string;
  /** Variables for the processes started after it. */
  readonly provides: Readonly<Record<string, string>>;
  /** Resolves when it is gone, for whatever reason. */
  readonly exited: Promise<void>;
  /** Asks it to end, and returns when it has. */
  stop(): Promise<void>;
}

/** What a service gets to start with. */
export interface ServiceContext {
  readonly paths: StackPaths;
  /** The user's environment under what earlier services provide. */
  readonly environment: Readonly<Record<string, string>>;
  /** Says what it is doing just now. */
  readonly tell: Tell;
  /** What the same service was before it died: it must come back where it was. */
  readonly before: RunningService | undefined;
}

/** Something the stack starts, watches and stops. */
export interface Service {
  readonly name: string;
  start(context: ServiceContext): Promise<RunningService>;
}
