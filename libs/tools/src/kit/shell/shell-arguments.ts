import type { ToolSettings } from '../tool-settings.ts';

/** What a one-shot shell is asked. */
export interface ShellArguments {
  command: string;
  description: string;
  timeoutMs?: number | undefined;
  workdir?: string | undefined;
  run_in_background?: boolean | undefined;
}

/** Throws for arguments that fit the schema and still mean nothing. */
export function checkShellArguments({ command, description, timeoutMs, workdir }: ShellArguments): void {
  requireText('command', command);
  requireText('description', description);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new Error(`invalid timeoutMs: expected a positive number, got ${JSON.stringify(timeoutMs)}`);
  if (workdir?.includes('\0')) throw new Error('invalid workdir: expected a string without NUL characters');
}

/** What a shell's job is called: its command. Throws where no job may be started. */
export function shellJobLabel(args: ShellArguments, { shell }: ToolSettings): string {
  checkShellArguments(args);
  if (!shell.enableRunInBackground)
    throw new Error('run_in_background is disabled for this deployment (enableRunInBackground: false)');
  return args.command;
}

function requireText(name: string, value: string): void {
  if (value.trim() === '') throw new Error(`invalid ${name}: expected a non-empty string`);
  if (value.includes('\0')) throw new Error(`invalid ${name}: expected a string without NUL characters`);
}
