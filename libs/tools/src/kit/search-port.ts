import type { ProcessOutcome } from './processes-port.ts';
import type { SandboxPolicy } from './sandbox-port.ts';
import type { SearchScope } from './search-scope.ts';

export interface RunRipgrepInput {
  args: readonly string[];
  cwd: string;
  signal: AbortSignal;
  graceMs: number;
  maxStdoutBytes: number;
  maxStderrBytes: number;
  /** See `confinePorts`. */
  confine?: SandboxPolicy;
}

/** The packaged ripgrep. */
export interface SearchPort {
  /** Where to search for a path (default: the session's directory), absolute or relative to `cwd`. */
  scope(input: { path?: string; cwd: string }): Promise<SearchScope>;
  /** Throws `SEARCH_FAILED` when it cannot be started. */
  run(input: RunRipgrepInput): Promise<ProcessOutcome>;
}
