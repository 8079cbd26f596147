import type { LlmCallConfig, Permissions, SandboxMode, SessionId } from '@everturn/core/domain';
import type { RalphRequest } from '@everturn/tools/kit';
import type { ChildRefusal } from './child.ts';
import type { Commit, Committed, SessionRef } from './commit.ts';
import type { ToolOutcome } from './tool.ts';

/** A loop of agents for one call of a step. */
export interface RalphInput extends SessionRef {
  turn: number;
  step: number;
  /** Which call it is: its index, of a program's call `0.3`. */
  place: string;
  /** Whether the log has its rounds: those of a program's call are the program's business. */
  logged: boolean;
  request: RalphRequest;
  /** The caller's own sampling, which its agents have. */
  config: LlmCallConfig;
  highestAcknowledged: number;
  searchAttributes: boolean;
  /** What the session's calls may do, until the step says otherwise; each round begins with what holds then. */
  permissions?: Permissions;
  carried?: RalphCarry;
}

/** What a long loop hands to its next run, between two rounds. */
export interface RalphCarry {
  nextEvent: number;
  /** Rounds that are over. */
  rounds: number;
  /** The agent of the last one, whose log has the report. */
  previous: SessionId;
}

export interface RalphResult {
  outcome: ToolOutcome;
  highestAcknowledged: number;
}

interface RoundInput extends SessionRef {
  round: number;
  /** The agent of the round before. */
  previous?: SessionId;
  commit: Commit;
}

export interface PrepareRoundInput extends RoundInput {
  request: RalphRequest;
  child: SessionId;
  config: LlmCallConfig;
  sandbox?: SandboxMode;
}
export type PrepareRoundResult = Committed &
  ({ kind: 'prepared'; preview: string; searchAttributes: boolean } | ({ kind: 'refused' } & ChildRefusal));

export interface EndRoundInput extends RoundInput {
  limits: Pick<RalphRequest, 'maxRounds' | 'maxHandoffChars' | 'maxResultChars'>;
  /** Who worked; absent where nobody came to. */
  child?: SessionId;
  /** Whether the loop was told to end. */
  cancelled: boolean;
  /** Why there was no agent, or how its workflow failed. */
  failure?: string;
}
export type EndRoundResult = Committed & {
  /** How the agent ended, for the log. */
  agent: 'completed' | 'failed' | 'cancelled';
} & ({ kind: 'next' } | { kind: 'over'; outcome: ToolOutcome });

/** Activities about loops; what crosses from round to round lies in logs and never in a history. */
export interface RalphActivities {
  /** Writes the row and the task of a round's agent, with the report of the one before; repeating it changes nothing. */
  prepareRound(input: PrepareRoundInput): Promise<PrepareRoundResult>;
  /** Reads and checks what came of a round, and says whether another follows or how the loop is over. */
  endRound(input: EndRoundInput): Promise<EndRoundResult>;
}
