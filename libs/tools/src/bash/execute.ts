import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text, type JsonValue } from '@everturn/core/domain';
import {
  AbortedBeforeSpawn,
  implementTool,
  requireGrant,
  ToolError,
  type CapturedOutput,
  type ToolRunContext,
  type ToolSettings,
} from '../kit/index.ts';
import { formatOutcome } from './format-outcome.ts';
import { bash } from './schema.ts';

/** Programs that page or colour their output would spoil it; there is nobody at a terminal. */
const SHELL_VARIABLES = { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' };

/** `bash -c`, its own deadline, exit and timeout as part of an ordinary result. */
export const executeBash = implementTool(bash, async (args, context) => {
  const { command, description, timeoutMs, workdir, run_in_background: inBackground } = args;
  const { shell } = context.settings;
  requireText('command', command);
  requireText('description', description);
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new Error(`invalid timeoutMs: expected a positive number, got ${JSON.stringify(timeoutMs)}`);
  requireGrant(args, context.sandbox);
  if (inBackground) refuseBackground(shell);

  const limitMs = Math.min(timeoutMs ?? shell.timeoutMs, shell.maxTimeoutMs);
  const input = {
    argv: ['bash', '-c', command],
    cwd: await directoryFor(workdir, context),
    environment: { ...SHELL_VARIABLES, ...context.managedEnvironment },
    signal: context.signal,
    timeoutMs: limitMs,
    graceMs: shell.graceMs,
    maxOutputBytes: { stdout: shell.maxOutputBytes, stderr: shell.maxOutputBytes },
    maxSpillBytes: shell.maxSpillBytes,
    session: context.initiator.session,
  };
  const outcome = await context.ports.processes.run(input).catch((error: unknown) => {
    throw error instanceof AbortedBeforeSpawn ? new ToolError('ABORTED', 'tool call aborted') : error;
  });
  if (outcome.aborted) throw new ToolError('ABORTED', 'tool call aborted');
  const { exitCode, signal, timedOut, aborted } = outcome;
  const value = {
    kind: 'foreground',
    exitCode,
    signal,
    timedOut,
    aborted,
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
});

function requireText(name: string, value: string): void {
  if (value.trim() === '') throw new Error(`invalid ${name}: expected a non-empty string`);
  if (value.includes('\0')) throw new Error(`invalid ${name}: expected a string without NUL characters`);
}

function refuseBackground({ enableRunInBackground }: ToolSettings['shell']): never {
  if (!enableRunInBackground)
    throw new Error('run_in_background is disabled for this deployment (enableRunInBackground: false)');
  throw new Error('background jobs unavailable: load a job service to use run_in_background');
}

async function directoryFor(workdir: string | undefined, { cwd }: ToolRunContext): Promise<string> {
  // The session's own directory is made real, so that `pwd` and `..` agree with what file tools show.
  if (workdir === undefined) return realpath(cwd).catch(() => cwd);
  if (workdir.includes('\0')) throw new Error('invalid workdir: expected a string without NUL characters');
  return resolve(cwd, workdir);
}

const streamValue = ({ text: kept, truncated, spillPath }: CapturedOutput) => ({
  text: kept,
  truncated,
  ...(spillPath !== undefined && { spillPath }),
});
