import type { NetworkMode, SandboxMode } from '@everturn/core/domain';
import type { SandboxLimits } from './tool-settings.ts';

/** What one call may do to the machine; made per call and never from its arguments. */
export interface SandboxPolicy {
  readonly mode: SandboxMode;
  /** A wider mode than the session's, allowed by a person for this one call; then it equals `mode`. */
  readonly granted?: SandboxMode;
  readonly network: NetworkMode;
  /** Real path of the workspace, the one folder `workspace-write` adds to the temporary ones. */
  readonly root: string;
  /** Real path of a folder outside the workspace that `read-only` may write to all the same; absent: none. */
  readonly scratch?: string;
  readonly limits: SandboxLimits;
}

/** A program that confines another. */
export type SandboxRunner = 'bubblewrap' | 'landlock' | 'configured';

/** `partial`: the kernel cannot refuse everything the mode forbids. */
export type Enforcement = 'full' | 'partial';

/** How a confined process ended, as far as its confinement goes. */
export type SandboxVerdict = 'ran' | 'denied' | 'runner-failed';

/** The parts of an ended process that tell whether its confinement had to do with it. */
export interface EndedProcess {
  exitCode: number | null;
  /** Its stderr; the end of it will do. */
  stderr: string;
}

/** A command as it is to be started under a policy. */
export interface ConfinedCommand {
  readonly argv: readonly string[];
  /** Goes on top of the child's environment; `undefined` takes a name away. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent where the policy asks for no runner. */
  readonly runner?: SandboxRunner;
  readonly enforcement?: Enforcement;
  /** Only for processes that ended by themselves: one that was killed says nothing about its confinement. */
  judge(ended: EndedProcess): SandboxVerdict;
  /** Call it once nothing of the command runs any more. */
  release(): Promise<void>;
}

/** What this machine can confine with, found by really doing it. */
export interface SandboxReport {
  /** The runner that is used; absent: confined commands are refused. */
  runner?: SandboxRunner;
  enforcement?: Enforcement;
  /** Whether `network: none` can be had. */
  network: 'isolated' | 'shared';
  /** Why the runners before the chosen one, or all of them, cannot be used. */
  unusable: { runner: SandboxRunner; reason: string }[];
}

/** Confines processes of this machine. */
export interface SandboxPort {
  /** Throws `SANDBOX_UNAVAILABLE` where the policy cannot be kept; `cwd` is where the command will start. */
  wrap(policy: SandboxPolicy, argv: readonly string[], cwd: string): Promise<ConfinedCommand>;
  report(): Promise<SandboxReport>;
}

/** What a process' outcome says of its confinement. */
export interface SandboxFacts {
  mode: SandboxMode;
  denied: boolean;
  enforcement?: Enforcement;
}
