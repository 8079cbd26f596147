import type { CommandDescription, CommandResult } from '@everturn/core/domain';
import type { Initiator } from './listeners.ts';

/** A command for people; it is never a message to the model and starts no turn by itself. */
export interface HumanCommand extends CommandDescription {
  /** Gets what follows the name verbatim, its first separator included. Runs at most once for each time it is sent. */
  handler(
    input: string,
    context: { initiator: Initiator; signal: AbortSignal },
  ): Promise<CommandResult> | CommandResult;
}

/** A command as people are told of it. */
export const describeCommand = ({ name, description, input }: HumanCommand): CommandDescription => ({
  name,
  description,
  ...(input !== undefined && { input }),
});

/** Runs a command; a handler that throws, is aborted or answers nonsense settles as an error. */
export async function runCommand(
  command: HumanCommand,
  input: string,
  context: { initiator: Initiator; signal: AbortSignal },
): Promise<CommandResult> {
  try {
    context.signal.throwIfAborted();
    return await command.handler(input, context);
  } catch (error) {
    return { kind: 'error', text: error instanceof Error ? error.message : String(error) };
  }
}
