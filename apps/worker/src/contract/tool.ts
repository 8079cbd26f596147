import type {
  ContentBlock,
  HookContext,
  HostId,
  JsonValue,
  MaybeRef,
  SandboxMode,
  ShellLimits,
  ToolErrorInfo,
} from '@everturn/core/domain';
import type { OrchestratedEvent } from '@everturn/tools/kit';
import type { Commit, Committed, SessionRef } from './commit.ts';
import type { AdmittedJob } from './job.ts';
import type { RequestedCall } from './model.ts';
import type { ProgramCall } from './program.ts';

/** Where a tool's body runs: on the session's machine, on any model worker, or in the step itself. */
export type ToolHome = 'host' | 'model' | 'workflow';
/** What a second attempt may do: run again, run again with the call's key, or report an unknown outcome. */
export type ToolEffect = 'idempotent' | 'keyed' | 'at-most-once';

export interface RunToolInput extends SessionRef {
  turn: number;
  step: number;
  call: RequestedCall;
  /** The call of the step whose program made this one; `call.index` is then its number in the program. */
  parent?: ProgramCall;
  effect: ToolEffect;
  /** Absolute working directory, for tools that act on a machine. */
  cwd?: string;
  /** What the call may do, and whether a person allowed that for this call alone; absent = the deployment's mode. */
  sandbox?: { mode: SandboxMode; granted?: true };
  /** What a command may take; absent = as the deployment says. */
  shell?: ShellLimits;
  /** The epoch of the host that the call's machine state belongs to. */
  hostEpoch?: number;
  /** Keep a large result as it is because post-execute listeners will see it first. */
  spill: 'now' | 'after-listeners';
  commit: Commit;
}

/** How a call ended, as the pipeline sees it. */
export interface ToolOutcome {
  content: MaybeRef<ContentBlock[]>;
  isError: boolean;
  error?: ToolErrorInfo;
  meta?: JsonValue;
  contexts?: HookContext[];
  concludesTurn?: boolean;
  /** Written after the result while it is a success. */
  events?: readonly OrchestratedEvent[];
  /** The job the call was given; its step starts it. */
  job?: AdmittedJob;
  /** For a program's call that worked: what the program gets, and its content as the log keeps it, where that is another. */
  forProgram?: { value: MaybeRef<JsonValue>; logged?: MaybeRef<ContentBlock[]> };
}

/** Whether an outcome says only that the call was begun: the ledger then counts its effect as unknown. */
export const isUnknownOutcome = ({ error }: Pick<ToolOutcome, 'error'>): boolean =>
  error?.code === 'TOOL_OUTCOME_UNKNOWN';

export interface RunToolResult extends Committed {
  outcome: ToolOutcome;
  registry: string;
}

export interface ToolActivities {
  /** Runs one tool body at most once and records its outcome in the claim; writes no log rows but its commit. */
  runTool(input: RunToolInput): Promise<RunToolResult>;
}

export interface AssignHostInput extends SessionRef {
  cwd?: string;
}
export type AssignHostResult =
  | { kind: 'assigned'; host: HostId; epoch: number }
  /** No live host has this workspace; `reason` is for people. */
  | { kind: 'none'; reason: string };

/** The machine a session is bound to, while its worker lives. */
export interface BoundHostResult {
  host: HostId | null;
}

export interface HostActivities {
  /** Binds a session to a live host whose roots hold its workspace. */
  assignHost(input: AssignHostInput): Promise<AssignHostResult>;
  /** Finds the live host a session is bound to; binds nothing. */
  boundHost(input: SessionRef): Promise<BoundHostResult>;
}

export interface ReleaseActivities {
  /** Ends what a closing session holds on this machine: terminals, servers, processes in the background. */
  releaseSession(input: SessionRef): Promise<void>;
}
