import type { CommandResult } from '@everturn/core/domain';
import type { RunCommand } from '@everturn/core/protocol';
import type { OrchestratedEvent } from '@everturn/tools/kit';
import type { SessionState } from '../session-state.ts';

/** What came of a command, and what of it the log is to have between its beginning and its end. */
export interface CommandOutcome {
  result: CommandResult;
  events?: readonly OrchestratedEvent[];
}

/** A command that every session has. Takes effect at once; bad input changes nothing and is its result. */
export interface SessionCommand {
  name: string;
  run(session: SessionState, command: RunCommand): CommandOutcome;
}

export const succeeded = (text: string, events?: readonly OrchestratedEvent[]): CommandOutcome => ({
  result: { kind: 'success', text },
  ...(events && { events }),
});

export const failed = (text: string): CommandOutcome => ({ result: { kind: 'error', text } });
