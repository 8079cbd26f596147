import type { CommandResult, RequestId } from '@everturn/core/domain';
import type { ClaimKey } from './claims.ts';
import type { SessionRef } from './commit.ts';

export interface RunCommandInput extends SessionRef {
  commandId: RequestId;
  name: string;
  /** What follows the name, verbatim. */
  input: string;
}

export interface CommandActivities {
  /** Runs a command of a plugin, at most once; what went wrong is its result. */
  runPluginCommand(input: RunCommandInput): Promise<CommandResult>;
}

/** The claim of a command. */
export const commandClaim = (commandId: RequestId): ClaimKey => `command:${commandId}`;
