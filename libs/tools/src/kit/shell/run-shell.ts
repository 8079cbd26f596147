import { text, type JsonValue } from '@everturn/core/domain';
import { requireGrant } from '../escalation.ts';
import { AbortedBeforeSpawn, type CapturedOutput } from '../processes-port.ts';
import type { ToolRunContext } from '../tool-context.ts';
import { ToolError } from '../tool-error.ts';
import type { ToolOutput } from '../tool-result.ts';
import { COULD_NOT_END, formatOutcome } from './format-outcome.ts';
import { checkShellArguments, shellJobLabel, type ShellArguments } from './shell-arguments.ts';
import { shellProcess, type ShellCommand } from './shell-command.ts';

/** Runs one command to its end; exit, signal and timeout are part of an ordinary result. */
export async function runShell(
  args: ShellArguments,
  context: ToolRunContext,
  commandOf: () => Promise<ShellCommand>,
): Promise<ToolOutput> {
  const { shell } = context.settings;
  checkShellArguments(args);
  requireGrant(args, context.sandbox);
  if (args.run_in_background) refuseBackground(args, context);

  const limitMs = Math.min(args.timeoutMs ?? shell.timeoutMs, shell.maxTimeoutMs);
  const input = {
    ...shellProcess(await commandOf(), context),
    signal: context.signal,
    timeoutMs: limitMs,
    maxOutputBytes: { stdout: shell.maxOutputBytes, stderr: shell.maxOutputBytes },
  };
  const outcome = await context.ports.processes.run(input).catch((error: unknown) => {
    throw error instanceof AbortedBeforeSpawn ? new ToolError('ABORTED', 'tool call aborted') : error;
  });
  const { unended } = outcome;
  if (outcome.aborted) throw new ToolError('ABORTED', `tool call aborted${unended ? `; ${COULD_NOT_END}` : ''}`);
  const { exitCode, signal, timedOut, aborted } = outcome;
  const value = {
    kind: 'foreground',
    exitCode,
    signal,
    timedOut,
    aborted,
    ...(unended && { unended }),
    timeoutMs: limitMs,
    stdout: streamValue(outcome.stdout),
    stderr: streamValue(outcome.stderr),
    ...(outcome.sandbox && { sandbox: { ...outcome.sandbox } }),
  } satisfies JsonValue;
  return {
    content: [text(formatOutcome({ ...outcome, timeoutMs: limitMs }))],
    meta: { exitCode, signal, timedOut },
    value,
  };
}

/** A call that asks for a job and is run as a body has nobody to own the job. */
function refuseBackground(args: ShellArguments, { settings }: ToolRunContext): never {
  shellJobLabel(args, settings);
  throw new Error('background jobs unavailable: load a job service to use run_in_background');
}

const streamValue = ({ text: kept, truncated, spillPath }: CapturedOutput) => ({
  text: kept,
  truncated,
  ...(spillPath !== undefined && { spillPath }),
});
