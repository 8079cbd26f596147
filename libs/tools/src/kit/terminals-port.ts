import type { SessionId } from '@everturn/core/domain';
import type { SandboxPolicy } from './sandbox-port.ts';
import type { SessionResource } from './resources-port.ts';
import type { ToolSettings } from './tool-settings.ts';

/** What every shell prints when it waits for a command. */
export const SHELL_PROMPT = 'everturn> ';

/** How a terminal's program ended; both are null where the system did not say. */
export interface TerminalExit {
  code: number | null;
  signal: string | null;
}

/**
 * Why a send returned: something waits for input (a prompt, or a program seen to read the terminal), nothing was
 * printed for long, its time is over, or the program ended.
 */
export type WaitReason = 'stdin_read' | 'inferred_idle' | 'timeout' | 'session_exit';

export const TERMINAL_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP'] as const;
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number];

export interface OpenTerminalInput {
  session: SessionId;
  /** Names the terminal to what runs in it. */
  id: string;
  /** One of {@link TerminalsPort.backends}. */
  backend: string;
  /** Absolute. */
  cwd: string;
  /** The managed variables, on top of the scrubbed environment of the host. */
  environment: Readonly<Record<string, string>>;
  settings: ToolSettings['terminal'];
  /** What the shell and all it starts may do, for as long as it is open. */
  confine: SandboxPolicy;
  /** Gives the opening up; what was started by then is ended. */
  signal: AbortSignal;
}

export interface SendInput {
  /** Written as it is; the caller adds the key that submits it. */
  text: string;
  signal: AbortSignal;
  /** ms. */
  timeoutMs: number;
}

export interface SendOutcome {
  /** What was printed since the send, its end where that is too long. */
  text: string;
  truncated: boolean;
  reason: WaitReason;
}

/** Lines of what was printed, counted from 1 over all there ever were. */
export interface TerminalLines {
  text: string;
  begin: number;
  end: number;
  total: number;
}

/** One program in a terminal of its own. Disposing ends it and all it started. */
export interface Terminal extends SessionResource {
  readonly pid: number;
  /** What was printed before the first prompt. */
  readonly startup: string;
  readonly exit: TerminalExit | undefined;
  /** Writes and waits until there is something to say. A raised signal interrupts the foreground and throws `ABORTED`. */
  send(input: SendInput): Promise<SendOutcome>;
  /** `offset` lines before the newest one, `count` lines up to there. */
  read(input: { offset: number; count: number }): TerminalLines;
  /** Signals the foreground group and returns its number. */
  signal(signal: TerminalSignal): Promise<number>;
  /** Writes without waiting for what comes of it; `cut`: when the signal was raised not all of it was taken, and the rest is dropped. */
  write(text: string, signal: AbortSignal): Promise<'taken' | 'cut'>;
  /** Hears all that is printed from now on, cleaned of control sequences. */
  onText(listener: (text: string) => void): () => void;
  /** Resolves at the next text, prompt or exit, and after `ms` at the latest. */
  changed(ms: number): Promise<void>;
  /** What the shell's last prompt says of the command before it; prompts are counted. */
  readonly prompt: { count: number; status: number | undefined };
  /** Whether something in the foreground was seen to wait for input, now and since the last write. */
  waitsForInput(): Promise<boolean>;
}

/** Terminals of the machine. */
export interface TerminalsPort {
  /** Shells there can be, by name. */
  readonly backends: readonly string[];
  /** Starts a shell and waits for its first prompt; throws, leaving nothing, with what is wrong. */
  open(input: OpenTerminalInput): Promise<Terminal>;
}
