import type { ToolCallContext } from '../tool-context.ts';

/** A shell's command line and where it runs. */
export interface ShellCommand {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** What this shell sets for every command. */
  variables: Readonly<Record<string, string>>;
}

/** Programs that page or colour their output would spoil it; there is nobody at a terminal. */
export const PLAIN_OUTPUT = { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' };

/** What both ways of running a shell tell the machine. */
export function shellProcess({ argv, cwd, variables }: ShellCommand, context: ToolCallContext) {
  const { graceMs, maxSpillBytes } = context.settings.shell;
  return {
    argv,
    cwd,
    environment: { ...variables, ...context.managedEnvironment },
    graceMs,
    maxSpillBytes,
    session: context.initiator.session,
  };
}
