import type { QuestionOutcome, QuestionRequest, SandboxMode, SessionEventMap } from '@everturn/core/domain';
import { checkArguments, type ArgumentsOf, type ToolDefinition } from './define-tool.ts';
import type { ChildrenPort } from './children-port.ts';
import type { GoalPort } from './goal-port.ts';
import type { JobsPort } from './jobs-port.ts';
import type { ParameterSchema } from './json-schema.ts';
import type { ProgramPort, ReferredResult } from './program-port.ts';
import type { RalphPort } from './ralph-port.ts';
import type { ToolInitiator } from './tool-context.ts';
import type { RemindersPort } from './reminders-port.ts';
import type { TeamPort } from './team-port.ts';
import { errorResult, type ToolOutput } from './tool-result.ts';
import { settleResult, snapshotArguments } from './run-call.ts';
import type { WorkflowSettings } from './tool-settings.ts';

/** What workflow code provides; `now` is epoch ms of the sandbox's clock. */
export interface OrchestrationContext {
  /** Absent for calls that no session owns. */
  readonly initiator?: ToolInitiator;
  readonly now: number;
  readonly settings: WorkflowSettings;
  /** Whether the session works for another agent, which then is the one to ask. */
  readonly delegated?: boolean;
  /** Whether the session is in plan mode. */
  readonly planning?: boolean;
  /** Puts questions to people and waits as long as it takes; absent where nobody can be asked. Must not throw. */
  readonly ask?: (request: QuestionRequest) => Promise<QuestionOutcome>;
  /** The session's background jobs; absent where a call may have none. */
  readonly jobs?: JobsPort;
  /** Absent where no agent may work for the one that calls. */
  readonly children?: ChildrenPort;
  /** Absent where a call may have none. */
  readonly goal?: GoalPort;
  readonly reminders?: RemindersPort;
  /** Absent where the session belongs to no team. */
  readonly team?: TeamPort;
  /** The wider sandbox mode that a person allowed for this call. */
  readonly granted?: SandboxMode;
  /** Absent where no programs can run: inside one. */
  readonly program?: ProgramPort;
  /** Absent where no agent may work for the one that calls. */
  readonly ralph?: RalphPort;
}

/** An event the caller appends to the session's log before the call's result, in order. */
export type OrchestratedEvent = {
  [T in keyof SessionEventMap]: { type: T; data: SessionEventMap[T] };
}[keyof SessionEventMap];

/** What an orchestrated body asks the workflow to do and to answer. */
export interface OrchestratedResult {
  events: OrchestratedEvent[];
  result: ReferredResult;
}

/** A body that runs in workflow code: deterministic, no I/O, events instead of effects. Does not throw. */
export interface Orchestration {
  readonly definition: ToolDefinition;
  orchestrate(args: unknown, context: OrchestrationContext): Promise<OrchestratedResult>;
}

interface OrchestratedOutput {
  events: OrchestratedEvent[];
  /** What it returns, or the result of what it had run, as it is. */
  output: ToolOutput | { settled: ReferredResult };
}

/** Joins a definition and its workflow body; a throw becomes an error result without events. */
export function orchestrateTool<P extends ParameterSchema>(
  definition: ToolDefinition<P>,
  body: (args: ArgumentsOf<P>, context: OrchestrationContext) => OrchestratedOutput | Promise<OrchestratedOutput>,
): Orchestration {
  return Object.freeze({
    definition,
    orchestrate: async (args: unknown, context: OrchestrationContext): Promise<OrchestratedResult> => {
      try {
        const { events, output } = await body(checkArguments(definition, snapshotArguments(args)), context);
        if ('settled' in output) return { events, result: output.settled };
        const { content, meta } = output;
        return { events, result: settleResult({ content, isError: false, ...(meta !== undefined && { meta }) }) };
      } catch (error) {
        return { events: [], result: settleResult(errorResult(error)) };
      }
    },
  });
}
