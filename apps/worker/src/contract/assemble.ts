import type {
  AnnouncedHook,
  BlobRef,
  ContentBlock,
  HostId,
  JsonObject,
  LlmCallConfig,
  Message,
  MessageSource,
  MaybeRef,
  ModelChoice,
  Permissions,
  RepeatSettings,
  RetryConfig,
  ShellLimits,
  TeamPlace,
} from '@everturn/core/domain';
import type { ToolsMode } from '@everturn/core/protocol';
import type { EscalationSubject, WorkflowSettings } from '@everturn/tools/kit';
import type { Commit, Committed, SessionRef } from './commit.ts';
import type { ToolEffect, ToolHome } from './tool.ts';

/** The points at which listeners may act on a session; workflow code calls only those that have any. */
export type InterceptionPoint =
  | 'agent/session-start'
  | 'agent/prompt-submit'
  | 'agent/session-prefix'
  | 'agent/pre-step'
  | 'agent/request'
  | 'agent/request-error'
  | 'agent/step-result'
  | 'agent/post-step'
  | 'agent/turn-continuation'
  | 'agent/turn-stop'
  | 'tools/pre-execute'
  | 'tools/guard'
  | 'tools/post-execute'
  | 'tools/result'
  | 'session/flush';

export interface AssembledTool {
  home: ToolHome;
  effect: ToolEffect;
  /** What a grant for one call of it would be about; absent: it lets nobody ask. */
  escalation?: EscalationSubject;
  /** The body's own cap in ms; absent = none. */
  timeoutMs?: number;
  /** Its key in the catalogue, where that is not its name. */
  key?: string;
  /** Of the tool by which an agent gives its result as data. */
  outputSchema?: JsonObject;
}

/** What is offered by a worker's registry, by name: stored, since every step of a session would carry all of it. */
export interface Offer {
  tools: Record<string, AssembledTool>;
  /** What tools whose body is workflow code are to know of the deployment. */
  settings: WorkflowSettings;
}

/** A tool as a call of it needs it. */
export interface CalledTool extends AssembledTool {
  /** For a tool whose body is workflow code. */
  settings?: WorkflowSettings;
}

/** What a worker's registry offers one session right now; as large for a hundred tools as for one. */
export interface Assembly {
  header: BlobRef;
  /** Digest of the canonical header; equal digests mean equal headers. */
  digest: string;
  config: LlmCallConfig;
  /** What its requests begin with, where that is anything. */
  prefix?: MaybeRef<Message[]>;
  /** Version of the registry this was made from. */
  registry: string;
  /** An `Offer`. */
  offer?: BlobRef;
  /** In histories of before offers were stored. */
  tools?: Record<string, AssembledTool>;
  settings?: WorkflowSettings & { repeatReminder?: RepeatSettings };
  /** Absent = `native`. */
  toolsMode?: ToolsMode;
  listeners: InterceptionPoint[];
  /** Those of them whose listeners act on the session's machine; absent = none. */
  machinePoints?: InterceptionPoint[];
  /** External hooks that are asked at them; absent = none. */
  hooks?: AnnouncedHook[];
  cwd?: string;
  maxParallelToolCalls: number;
  /** Present in plan mode; `readOnly` are the tools that may run where it refuses all others. */
  plan?: { readOnly?: string[] };
  /** When an agent is told that it repeats itself. */
  repeatReminder?: RepeatSettings;
  /** A model is asked for the session's title, after its first prompt or each; absent = never. */
  titles?: 'first-prompt' | 'every-prompt';
  /** How failed model calls are tried again; absent = the default. */
  retry?: RetryConfig;
  /** The team it leads or belongs to; absent without the set of tools for that. */
  team?: TeamPlace;
  /** The machine the session's tools run on, once one is bound. */
  host?: { host: HostId; epoch: number };
  /** What its tenant lets commands take; absent = as the deployment says. */
  shell?: ShellLimits;
}

/** Something the model is to read, with who says it. */
export interface WorkspaceContext {
  content: MaybeRef<ContentBlock[]>;
  source: MessageSource;
}

/** What a session's folder says that its model does not know yet. */
export interface WorkspaceNews {
  /** What requests begin with, composed just now; empty where there is nothing to say. */
  prefix?: MaybeRef<Message[]>;
  /** Digest of the list of skills; absent = there are none. */
  skills?: string;
  /** The list, where it is another than the model knows. */
  catalog?: WorkspaceContext;
  /** The skills the message calls for. */
  invoked?: WorkspaceContext[];
}

export interface AssembleInput extends SessionRef {
  /** Replaces the sampling the session's options say. */
  config?: LlmCallConfig;
  prefix?: MaybeRef<Message[]>;
  /** Goes before what `config` says. */
  model?: ModelChoice;
  /** What the prompt says of them; absent: nothing. */
  permissions?: Permissions;
  /** The session is in plan mode. */
  plan?: true;
  /** Digest of the list of skills the model knows; absent = none. */
  skills?: string;
  /** Names that the message calls for, of skills perhaps; or the message, where it is not at hand. */
  calledFor?: string[] | BlobRef;
  /** Only the header is wanted: what the folder says is known or of no interest. */
  news?: 'skip';
  /** It runs where the session's folder is, if that is anywhere. */
  here?: true;
  commit: Commit;
}
export type AssembleResult = Committed &
  (
    | {
        kind: 'assembled';
        assembly: Assembly;
        workspace?: WorkspaceNews;
        /** The folder lies on another machine. */ elsewhere?: true;
      }
    | { kind: 'failed'; code: string; message: string }
  );

export interface AssembleActivities {
  /** Composes system prompt, tools and sampling into a stored header. */
  assemble(input: AssembleInput): Promise<AssembleResult>;
}
