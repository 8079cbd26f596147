import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  implementTool,
  PLAIN_OUTPUT,
  runShell,
  startShell,
  type ShellCommand,
  type ToolCallContext,
} from '../kit/index.ts';
import { bash } from './schema.ts';

/** `bash -c`, to its end or as a job. */
export const executeBash = implementTool(
  bash,
  (args, context) => runShell(args, context, () => commandOf(args, context)),
  (args, context) => startShell(args, context, { commandOf: () => commandOf(args, context) }),
);

async function commandOf(
  { command, workdir }: { command: string; workdir?: string | undefined },
  { cwd }: ToolCallContext,
): Promise<ShellCommand> {
  // The session's own directory is made real, so that `pwd` and `..` agree with what file tools show.
  const directory = workdir === undefined ? await realpath(cwd).catch(() => cwd) : resolve(cwd, workdir);
  return { argv: ['bash', '-c', command], cwd: directory, variables: PLAIN_OUTPUT };
}
