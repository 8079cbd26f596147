import type { ToolCallContext } from '../tool-context.ts';

/** A shell's command line and where it runs. */
export interface ShellCommand {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** What this shell sets for every command. */
  variables: Readonly<Record<string, string>>;
}

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
