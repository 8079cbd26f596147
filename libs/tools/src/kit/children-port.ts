import type { DelegationRow } from './delegation-row.ts';
import type { ReferredResult } from './program-port.ts';

/** A task for a child. */
export interface DelegateRequest {
  row: DelegationRow;
  /** What it is about in a few words. */
  label: string;
  prompt: string;
}

/** The agents that work for the session that calls. Its members are for workflow code: waiting holds nothing. */
export interface ChildrenPort {
  /** Runs a child to its end; what it said last is the result, and a child that fails is one, too. */
  run(request: DelegateRequest): Promise<ReferredResult>;
}
