import type { ModelWish } from '@everturn/core/domain';
import type { DelegationRow } from './delegation-row.ts';
import type { ReferredResult } from './program-port.ts';
import type { ToolErrorCode } from './tool-error.ts';

/** A task for a child. */
export interface DelegateRequest {
  row: DelegationRow;
  /** What it is about in a few words. */
  label: string;
  prompt: string;
  /** The model it is to have; absent: the caller's. */
  wish?: ModelWish;
}

/** What became of a wish about another agent; refused = nothing was done. */
export type Wish<T> = ({ kind: 'done' } & T) | { kind: 'refused'; code?: ToolErrorCode; message: string };

/** The agents that work for the session that calls. Its members are for workflow code: waiting holds nothing. */
export interface ChildrenPort {
  /** Runs a child to its end; what it said last is the result, and a child that fails is one, too. */
  run(request: DelegateRequest): Promise<ReferredResult>;
  /** Starts a child as a job, and answers once it has its task; it outlives the turn, and its end is told. */
  background(request: DelegateRequest): Promise<Wish<{ job: string }>>;
  /** Starts a child that stays, and answers once it has its task. */
  start(request: DelegateRequest): Promise<Wish<{ child: string }>>;
  /** Writes to a child that stays, or to the agent the caller stays with. */
  send(agent: string, message: string): Promise<Wish<object>>;
  /** Ends the turn of an agent below; answers before it has ended. */
  interrupt(agent: string): Promise<Wish<object>>;
  /** The agents that stay, one line each. */
  list(scope: 'children' | 'descendants'): Promise<string[]>;
}
