import type {
  BlobRef,
  ContentBlock,
  HookContext,
  JsonValue,
  MaybeRef,
  Permissions,
  SandboxMode,
} from '@everturn/core/domain';
import type { SessionOwner } from '@everturn/core/protocol';
import type { OrchestratedEvent, ProgramFailure, ProgramKind, ScriptSetup } from '@everturn/tools/kit';
import type { Assembly } from './assemble.ts';
import type { Commit, Committed, SessionRef } from './commit.ts';
import type { RequestedCall } from './model.ts';
import type { RunToolInput, ToolOutcome } from './tool.ts';

/** The call that runs a program. */
export type ProgramCall = Pick<RequestedCall, 'index' | 'callId'> & {
  /** Of a script that a program has run: the index of the program's own call. */
  within?: number;
};

/** How a call of a program was answered; in order of the answers they are all a program needs to run again. */
export type JournalEntry =
  /** By what its claim says. */
  | number
  /** By a result that no claim holds: one of policy, of a stop, of workflow code. */
  | { n: number; content: MaybeRef<ContentBlock[]>; isError: boolean }
  | { n: number; value: MaybeRef<JsonValue> };

/** The calls a program has made so far. The digest is of all of them in order: it makes the same ones when it runs again. */
export interface KnownCalls {
  count: number;
  digest: string;
}

export interface ProgramInput extends SessionRef {
  turn: number;
  step: number;
  call: ProgramCall;
  kind: ProgramKind;
  code: MaybeRef<string>;
  /** ms of work; waiting for people is none. */
  timeoutMs: number;
  /** Bodies of its calls that run at once; absent in histories that have it in the assembly. */
  maxParallel?: number;
  /** Of a `workflow` script. */
  script?: ScriptSetup;
  assembly: Assembly;
  highestAcknowledged: number;
  searchAttributes: boolean;
  /** What its calls may do, until the step says otherwise. */
  permissions?: Permissions;
  /** A wider mode that a person allowed for the calls of this program. */
  granted?: SandboxMode;
  /** The agent the session works for, if it does. */
  owner?: SessionOwner;
  carried?: ProgramCarry;
}

/** What a program of many calls hands to its next run, with no call under way. */
export interface ProgramCarry {
  nextEvent: number;
  startedAt: number;
  spentMs: number;
  journal: JournalEntry[];
  known: KnownCalls;
  contexts: HookContext[];
  concludesTurn: boolean;
  plan?: 'approved';
  /** What one of its calls recorded as the session's result, which counts if the program succeeds. */
  output?: OrchestratedEvent;
  /** Lines of a script that were passed on. */
  heard?: number;
}

export interface ProgramResult {
  outcome: ToolOutcome;
  highestAcknowledged: number;
  registry: string;
  /** With the machine its calls were bound to. */
  assembly: Assembly;
  /** A person approved the plan one of its calls presented. */
  plan?: 'approved';
}

export interface RunProgramInput extends SessionRef {
  turn: number;
  step: number;
  call: ProgramCall;
  kind: ProgramKind;
  code: MaybeRef<string>;
  /** The `Offer` its calls are among. */
  offer?: BlobRef;
  /** Where its clock stands, in epoch ms; also what its randomness begins with. */
  startedAt: number;
  timeoutMs: number;
  /** What is left of its time, in ms. */
  budgetMs: number;
  journal: JournalEntry[];
  known: KnownCalls;
  /** Calls up to this one have been told already. */
  told: number;
  script?: ScriptSetup;
  /** Lines a script printed that were passed on already; absent: nobody is told of any. */
  heard?: number;
  /** Keep a large result as it is because post-execute listeners will see it first. */
  spill: RunToolInput['spill'];
  /** It is over whatever it says: only what it has printed is still wanted. */
  ending?: { failure: ProgramFailure; message: string };
  commit: Commit;
}

/** What a script said for those who watch. */
export interface Said {
  kind: 'phase' | 'log';
  text: string;
}

export type RunProgramResult = Committed & {
  registry: string;
  /** Since it was last heard of; `heard` counts what was said but is too much to pass on, too. */
  news?: { heard: number; said: Said[] };
} & (
    | { kind: 'waiting'; code: MaybeRef<string>; known: KnownCalls; calls: RequestedCall[] }
    | { kind: 'ended'; outcome: ToolOutcome }
  );

export interface ProgramActivities {
  /** Runs a program up to its next calls or its end. It has no effect of its own, so it may run any number of times. */
  runProgram(input: RunProgramInput): Promise<RunProgramResult>;
}
