import { validateArguments, type SandboxMode } from '@everturn/core/domain';
import { ToolError } from './tool-error.ts';
import type { BackgroundCalls, RunningJob } from './background.ts';
import type { ParameterSchema, ValueFrom, ValueSchema } from './json-schema.ts';
import type { CallPresenter, ResultPresenter } from './presentation.ts';
import type { EscalationSubject } from './escalation.ts';
import type { OrchestratedEvent } from './orchestrate-tool.ts';
import type { PromptSection } from './prompt-section.ts';
import type { ToolCallContext, ToolRunContext } from './tool-context.ts';
import type { ToolOutput } from './tool-result.ts';

/** Where a tool's body runs: on the session's machine, on any model worker, or in the step's workflow code. */
export type ToolHome = 'host' | 'model' | 'workflow';

/**
 * What a lost worker means for a call: `idempotent` runs again, `keyed` runs again under the same key,
 * `at-most-once` is reported as unknown and never runs again.
 */
export type ToolEffect = 'idempotent' | 'keyed' | 'at-most-once';

/** `parallel` calls overlap with their parallel neighbours; an `exclusive` call runs alone. */
export type Concurrency = 'parallel' | 'exclusive';

/** The arguments a definition's schema accepts. */
export type ArgumentsOf<P extends ParameterSchema> = ValueFrom<P>;

/** A tool without its body. Only `name`, `description` and `parameters` reach the model. */
export interface ToolDefinition<P extends ParameterSchema = ParameterSchema> {
  readonly name: string;
  /** The optional set it belongs to, offered only to sessions that ask for the set; absent = every session has it. */
  readonly toolset?: string;
  /** Offered only to sessions that work for no other agent, or whose model may choose the model of agents; absent = to all. */
  readonly audience?: 'own-sessions' | 'model-choosers';
  /** Starts agents: where a model may choose theirs, it has parameters for that. */
  readonly delegates?: true;
  /** Registered only while what it works on is there, by whoever sees that come and go; absent = always. */
  readonly presence?: 'changing';
  readonly description: string;
  readonly parameters: P;
  readonly home: ToolHome;
  readonly effect: ToolEffect;
  /** Changes nothing that a person might want to see planned first; plan mode may refuse every other tool. */
  readonly readOnly?: true;
  /** Calls depend on what earlier calls left in the worker's process; after a restart they fail and say so. */
  readonly state?: 'process';
  /** A budget in ms; a tool that declares one promises to settle soon after its signal is raised. */
  readonly timeoutMs?: number;
  /** Checks the canonical value a body returns. */
  readonly output?: ValueSchema;
  /** Models may ask for a wider sandbox mode for one call; absent: the session's mode is the last word. */
  readonly escalation?: EscalationSubject;
  /** The mode without which no call does anything: in a session of a narrower one each is asked for. Needs `escalation`. */
  readonly requiredMode?: SandboxMode;
  readonly promptSection?: PromptSection;
  /** Calls may ask to run as a job; the body then has a `startJob`. */
  readonly background?: BackgroundCalls<ArgumentsOf<P>>;
  /** Absent means always exclusive. Must be pure; a throw counts as exclusive. */
  concurrency?(args: ArgumentsOf<P>): Concurrency;
  /** What the log is to have of a call before it is dispatched. Must be pure; a throw says nothing. */
  announce?(args: ArgumentsOf<P>): readonly OrchestratedEvent[];
  readonly presentCall?: CallPresenter;
  readonly presentResult?: ResultPresenter;
}

/** Declares a tool; the schema literal is kept as written so that bodies get its argument type. */
export function defineTool<const P extends ParameterSchema>(definition: ToolDefinition<P>): ToolDefinition<P> {
  return Object.freeze(definition);
}

/** A tool's body with its arguments not yet checked. Throws for a failed call; never for infrastructure. */
export interface ToolBody {
  readonly definition: ToolDefinition;
  execute(args: unknown, context: ToolRunContext): Promise<ToolOutput>;
  /** Starts a call that asks for the background. What it throws becomes the job's end; its signal is not the call's. */
  startJob?(args: unknown, context: ToolCallContext): Promise<RunningJob>;
}

/** Joins a definition and its body; arguments are checked at entry, all violations in one error. */
export function implementTool<P extends ParameterSchema>(
  definition: ToolDefinition<P>,
  execute: (args: ArgumentsOf<P>, context: ToolRunContext) => Promise<ToolOutput>,
  startJob?: (args: ArgumentsOf<P>, context: ToolCallContext) => Promise<RunningJob>,
): ToolBody {
  return Object.freeze({
    definition,
    execute: async (args: unknown, context: ToolRunContext) => execute(checkArguments(definition, args), context),
    ...(startJob && {
      startJob: async (args: unknown, context: ToolCallContext) => startJob(checkArguments(definition, args), context),
    }),
  });
}

/** The arguments if they obey the schema; otherwise throws `INVALID_ARGS` naming every violation. */
export function checkArguments<P extends ParameterSchema>(
  definition: ToolDefinition<P>,
  args: unknown,
): ArgumentsOf<P> {
  const violations = validateArguments(definition.parameters, args);
  if (violations.length > 0) throw new ToolError('INVALID_ARGS', `invalid arguments: ${violations.join('; ')}`);
  return args as ArgumentsOf<P>;
}
