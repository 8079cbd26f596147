import type { JobEnd, RunningJob } from '../background.ts';
import { requireGrant } from '../escalation.ts';
import type { BackgroundEnd, BackgroundProcess } from '../processes-port.ts';
import { denialMarker, escalationHint } from '../sandbox-markers.ts';
import type { ToolCallContext } from '../tool-context.ts';
import type { ShellArguments } from './shell-arguments.ts';
import { COULD_NOT_END } from './format-outcome.ts';
import { shellProcess, type ShellCommand } from './shell-command.ts';

/** Starts a command that nobody waits for. */
export async function startShell(
  args: ShellArguments,
  context: ToolCallContext,
  { commandOf }: { commandOf: () => Promise<ShellCommand> },
): Promise<RunningJob> {
  requireGrant(args, context.sandbox);
  const { shell, jobs } = context.settings;
  const started = await context.ports.processes.start({
    ...shellProcess(await commandOf(), context),
    maxUnreadBytes: shell.maxOutputBytes,
    spillAfterBytes: jobs.outputLimitBytes,
  });
  return asJob(started);
}

/** A process as a job: whatever code it exits with, it is completed; a signal kills it. */
function asJob(started: BackgroundProcess): RunningJob {
  let cancelled: 'no' | 'asked' = 'no';
  let notice: string | undefined;
  const outcome = started.ended.then((ended): JobEnd => {
    const { exitCode, signal, unended } = ended;
    notice = noticeOf(ended);
    if (unended) return { state: 'killed', detail: COULD_NOT_END };
    if (signal !== null) return { state: 'killed', detail: `signal: ${signal}` };
    if (cancelled === 'asked') return { state: 'killed', detail: 'killed before exit' };
    return { state: 'completed', detail: `exit code: ${exitCode ?? 0}` };
  });
  return {
    read() {
      const { stdout, ...rest } = started.read();
      const told = notice;
      notice = undefined;
      return { text: stdout, ...rest, ...(told !== undefined && { notice: told }) };
    },
    outcome,
    cancel() {
      cancelled = 'asked';
      void started.terminate();
    },
  };
}

/** What the end of a confined command says of its confinement. */
function noticeOf({ sandbox }: BackgroundEnd): string | undefined {
  if (!sandbox) return undefined;
  const { mode, verdict } = sandbox;
  return verdict === 'denied'
    ? `${denialMarker(mode)}\n${escalationHint('command')}`
    : `[sandbox: the sandbox runner itself failed under ${mode} mode; the command did not run]`;
}
