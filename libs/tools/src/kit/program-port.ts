import type { ContentBlock, JsonObject, MaybeRef } from '@everturn/core/domain';
import type { DelegationRow } from './delegation-row.ts';
import type { ToolExecutionResult } from './tool-result.ts';

/** Why a program ended before its time. */
export type ProgramFailure =
  | 'exception'
  | 'timeout'
  | 'abort'
  | 'worker-exit'
  | 'invalid-output'
  | 'output-limit'
  | 'protocol'
  | 'sandbox-unavailable';

export type ProgramEnd =
  /** `json` is absent when it returned nothing. */
  { kind: 'returned'; json?: string } | { kind: 'failed'; failure: ProgramFailure; message: string };

/** The tool that runs programs; no other may have its name. */
export const CODE_TOOL = 'run_code';

/** What a program is run for: it decides what the program can call and how its end is told. */
export type ProgramKind = 'run_code' | 'workflow';

/** What a script of agents has besides its code. */
export interface ScriptSetup {
  name: string;
  args?: JsonObject;
  /** How its agents are made. */
  row: DelegationRow;
}

/** An agent as a script asks for it. */
export interface ScriptAgent {
  prompt: MaybeRef<string>;
  label: string;
  phase?: string;
  /** Its result is to be data of this shape. */
  schema?: MaybeRef<JsonObject>;
  /** Whose model it has, and which; each by itself. */
  provider?: string;
  model?: string;
}

export interface RunProgramRequest {
  kind: ProgramKind;
  /** The body of an async function. */
  code: string;
  /** ms of work, without the time people take to answer. */
  timeoutMs: number;
  /** Of a `workflow` script. */
  script?: ScriptSetup;
}

/** The result of a call as workflow code has it; large content is a reference. */
export type ReferredResult = Omit<ToolExecutionResult, 'content' | 'value'> & {
  content: MaybeRef<ContentBlock[]>;
  concludesTurn?: boolean;
};

/** Runs programs of the model for orchestrated tools; their calls go through the pipeline of all calls. */
export interface ProgramPort {
  /** Resolves when the program and every call it made has ended; a program that fails is a result. */
  run(request: RunProgramRequest): Promise<ReferredResult>;
}
