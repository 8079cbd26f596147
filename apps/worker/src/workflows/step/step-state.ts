import type { HookContext, RepeatCount, TokenUsage } from '@everturn/core/domain';
import {
  programPlace,
  type Assembly,
  type InterceptionPoint,
  type ProgramCall,
  type RequestedCall,
  type SessionRef,
  type StepInput,
} from '../../contract/index.ts';
import type { Answers } from '../shared/answers.ts';
import type { CallRun } from './call-run.ts';
import type { LogWriter } from '../shared/log-writer.ts';
import type { PermissionCell } from '../shared/permission-cell.ts';
import type { Stop } from '../shared/stop.ts';
import type { SessionReplies } from './ask-session.ts';
import type { JobNews } from './step-jobs.ts';

/** What one step knows while it runs; the same object whether the step is a workflow or runs in its turn. */
export interface StepState {
  readonly input: StepInput;
  /** The call whose program makes these calls; absent where the model makes them. */
  readonly program?: ProgramCall;
  readonly writer: LogWriter;
  readonly answers: Answers;
  readonly stop: Stop;
  readonly permissions: PermissionCell;
  readonly news: JobNews;
  readonly replies: SessionReplies;
  assembly: Assembly;
  /** Registry version seen last. */
  registry: string;
  headerLogged: boolean;
  usage?: TokenUsage;
  /** What the history may still gain, as of the answer. */
  room?: number;
  preview: string;
  /** The calls of the model's message, in its order. */
  runs: readonly CallRun[];
  /** Contexts of settled calls, in order; they follow the batch. */
  contexts: HookContext[];
  concludesTurn: boolean;
  /** A person approved the plan: plan mode ends before the next step. */
  plan?: 'approved';
  repeats?: RepeatCount;
}

/** Whether anybody listens at a point. */
export function listens(step: { assembly: Assembly }, point: InterceptionPoint): boolean {
  return step.assembly.listeners.includes(point);
}

/** Whether somebody who listens at a point acts on the session's machine. */
export function actsOnMachine(step: { assembly: Assembly }, point: InterceptionPoint): boolean {
  return step.assembly.machinePoints?.includes(point) === true;
}

/** The identity every activity of the step carries. */
export function stepRef(input: SessionRef): SessionRef {
  return { session: input.session, tenant: input.tenant, generation: input.generation };
}

/** Which call of the step it is, and of its program: `0`, `0.3`. */
export function placeOf({ program }: StepState, { index }: Pick<RequestedCall, 'index'>): string {
  return program ? `${programPlace(program)}.${index}` : `${index}`;
}
