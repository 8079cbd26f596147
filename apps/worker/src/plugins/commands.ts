import type { Initiator } from './listeners.ts';

/** What a command tells the person who ran it. */
export interface CommandResult {
  kind: 'success' | 'error';
  text?: string;
}

/** A command for people; it is never a message to the model and starts no turn by itself. */
export interface HumanCommand {
  /** `^[a-z][a-z0-9_-]*$`. */
  name: string;
  description: string;
  /** What may follow the name, for help texts. */
  input?: string;
  /** Gets what follows the name verbatim, its first separator included. */
  handler(
    input: string,
    context: { initiator: Initiator; signal: AbortSignal },
  ): Promise<CommandResult> | CommandResult;
}

/** The name and raw input of a command line, or `undefined` when the text is an ordinary message. */
export function parseCommand(line: string): { name: string; input: string } | undefined {
  const match = /^\/([a-z][a-z0-9_-]*)(?=\s|$)/.exec(line);
  return match ? { name: match[1] as string, input: line.slice(match[0].length) } : undefined;
}

/** Runs a command; a handler that throws, or is aborted, settles as an error. */
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
