import type { SessionId } from '@everturn/core/domain';
import type { SandboxFacts, SandboxPolicy } from './sandbox-port.ts';

/** One captured stream. `text` is the end of it, cut at a character. */
export interface CapturedOutput {
  text: string;
  truncated: boolean;
  totalBytes: number;
  /** The beginning of a truncated stream, cut at a character; does not overlap `text`. */
  head?: string;
  /** Where the whole stream lies, when it was truncated and could be kept. */
  spillPath?: string;
}

export interface RunProcessInput {
  /** Program and arguments, verbatim; no shell is involved. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** On top of the scrubbed environment of the host; `undefined` removes a name. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Absent: the child reads the end of input at once. */
  stdin?: string;
  signal: AbortSignal;
  /** ms; absent: no limit. */
  timeoutMs?: number;
  /** ms between SIGTERM and SIGKILL. */
  graceMs: number;
  /** Kept per stream. */
  maxOutputBytes: { stdout: number; stderr: number };
  /** Mirrored per stream to a file on overflow; 0: never. */
  maxSpillBytes: number;
  /** End the process as soon as stdout overflows, for readers that need all of it or nothing. */
  stopOnOverflow?: boolean;
  /** Whose processes these are, so that they can be ended with the session. */
  session?: SessionId;
  /** What the process may do; bodies of tools are given ports that fill it in (see `confinePorts`). */
  confine?: SandboxPolicy | 'nothing';
}

/** How a process ended. At most one of `timedOut` and `aborted`: the first cause wins. */
export interface ProcessOutcome {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  /** It was to be ended and runs on: it became another user's, or the kernel does not let it go. */
  unended?: true;
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  /** Present for processes that a policy was given for. */
  sandbox?: SandboxFacts;
}

export interface StartProcessInput extends Pick<
  RunProcessInput,
  'argv' | 'cwd' | 'environment' | 'graceMs' | 'maxSpillBytes' | 'session' | 'confine'
> {
  /** Kept per stream between two reads. */
  maxUnreadBytes: number;
  /** A stream longer than this is mirrored to a file. */
  spillAfterBytes: number;
}

/** What a process wrote since it was last asked. */
export interface UnreadOutput {
  stdout: string;
  stderr: string;
  /** Some of it was too much to be kept; the files hold all of it, none where that was not possible. */
  dropped?: { files: string[] };
}

/** How a process that runs by itself ended. */
export interface BackgroundEnd {
  exitCode: number | null;
  signal: string | null;
  /** The last of its second stream, whether it was read or not. */
  stderrTail: string;
  /** As in {@link ProcessOutcome}. */
  unended?: true;
  /** Present where its confinement had to do with its end; `runner-failed`: the command did not run. */
  sandbox?: { mode: SandboxFacts['mode']; verdict: 'denied' | 'runner-failed' };
}

/** A process that runs on by itself. */
export interface BackgroundProcess {
  read(): UnreadOutput;
  /** Settles when the program has ended and what it wrote can be read. */
  readonly ended: Promise<BackgroundEnd>;
  /** SIGTERM to its group, patience, SIGKILL; a second call joins the first. */
  terminate(): Promise<void>;
}

/** Processes of the machine. */
export interface ProcessesPort {
  /**
   * Runs a program to its end in a process group of its own; the group is ended on abort and timeout.
   * Throws only when it did not start: {@link AbortedBeforeSpawn}, `SANDBOX_UNAVAILABLE`, or a plain error that
   * says what is wrong.
   */
  run(input: RunProcessInput): Promise<ProcessOutcome>;
  /** Starts a program that nobody waits for, in a process group of its own. Throws when it did not start. */
  start(input: StartProcessInput): Promise<BackgroundProcess>;
}

/** The caller cancelled before the program was started, so nothing ran. */
export class AbortedBeforeSpawn extends Error {
  constructor(reason: unknown) {
    super(`aborted before spawn: ${reason instanceof Error ? reason.message : String(reason)}`);
    this.name = 'AbortedBeforeSpawn';
  }
}
