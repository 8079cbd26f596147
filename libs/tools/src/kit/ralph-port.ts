import type { DelegationRow } from './delegation-row.ts';
import type { ReferredResult } from './program-port.ts';

/** A loop of agents, one after another, that work on one objective. */
export interface RalphRequest {
  objective: string;
  maxRounds: number;
  /** How the agent of each round is made. */
  row: DelegationRow;
  /** Characters of a report that the next round is given at most. */
  maxHandoffChars: number;
  /** Characters of the result. */
  maxResultChars: number;
}

/** Runs loops for orchestrated tools. For workflow code: waiting holds nothing. */
export interface RalphPort {
  /** Resolves when the loop is over and none of its agents runs; one that fails is a result. */
  run(request: RalphRequest): Promise<ReferredResult>;
}
