import { resolve } from 'node:path';
import {
  implementTool,
  PLAIN_OUTPUT,
  runShell,
  startShell,
  type ShellCommand,
  type ToolCallContext,
} from '../kit/index.ts';
import { pwshArguments } from './pwsh-arguments.ts';
import { pwsh } from './schema.ts';

/** PowerShell tells Microsoft nothing and looks for no updates on a model's behalf. */
const VARIABLES = { ...PLAIN_OUTPUT, POWERSHELL_TELEMETRY_OPTOUT: '1', POWERSHELL_UPDATECHECK: 'Off' };

/** `pwsh -Command`, to its end or as a job. */
export const executePwsh = implementTool(
  pwsh,
  (args, context) => runShell(args, context, () => commandOf(args, context)),
  (args, context) => startShell(args, context, { commandOf: () => commandOf(args, context) }),
);

async function commandOf(
  { command, workdir }: { command: string; workdir?: string | undefined },
  { cwd, ports }: ToolCallContext,
): Promise<ShellCommand> {
  return {
    argv: [await ports.powershell.find(), ...pwshArguments(command)],
    cwd: workdir === undefined ? cwd : resolve(cwd, workdir),
    variables: VARIABLES,
  };
}
