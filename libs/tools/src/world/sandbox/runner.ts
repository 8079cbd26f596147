import type { Enforcement, SandboxPolicy, SandboxRunner } from '../../kit/index.ts';

/** How a runner's own words are told from those of the command it ran. */
export interface RunnerDialect {
  /** What stderr says, in lower case, when the confinement refused a write: any of these. */
  denials: readonly string[];
  /** Any of these stands in a line of the runner itself; with `exitCode` only at that exit. */
  failure: { texts: readonly string[]; exitCode?: number };
  /** Whole lines of the runner that say nothing of failure. */
  informational: readonly string[];
}

/** A runner that works on this machine. */
export interface WorkingRunner {
  name: SandboxRunner;
  /** Its absolute path, or a name on the search path. */
  program: string;
  enforcement: Enforcement;
  /** Whether it can take the network away. */
  network: 'isolated' | 'shared';
  dialect: RunnerDialect;
  /** What confined commands get on top of their environment. */
  environment(policy: SandboxPolicy): Readonly<Record<string, string | undefined>>;
  /** What stands before the command. */
  prefix(policy: SandboxPolicy, cwd: string): string[];
}

/** Why a runner cannot be used here. */
export interface UnusableRunner {
  name: SandboxRunner;
  reason: string;
}

export interface FindRunnerInput {
  /** A PATH value. */
  searchPath: string;
  /** How long running `true` may take, in ms. */
  probeTimeoutMs: number;
  /** Absolute path of `bwrap`, where it is not on the path. */
  bubblewrap?: string;
  /** The operator's own runner, in place of all others, and what its lines hold where it fails itself. */
  runnerCommand?: { argv: readonly string[]; failureSignatures: readonly string[] };
}

/** What a runner must be able to run before anything is trusted to it. */
export const PROBE_POLICY: SandboxPolicy = { mode: 'read-only', network: 'full', root: '/', limits: {} };
