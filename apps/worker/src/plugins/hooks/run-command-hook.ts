import { readHookOutput, type HookRun } from '@everturn/core/domain';
import type { ProcessesPort, ProcessOutcome } from '@everturn/tools/kit';
import type { HookAnswer, HookCallInput } from './hook-handler.ts';
import type { HookSettings } from './hook-settings.ts';

export interface CommandHookInput extends HookCallInput {
  hook: HookSettings['commands'][number];
  processes: ProcessesPort;
  /** Absolute. */
  pluginRoot: string;
}

const GRACE_MS = 2_000;
/** A decision is short, and so is what it adds for the model. */
const MAX_OUTPUT_BYTES = 1_048_576;

/**
 * Runs a hook's command by `sh`, as whoever set the hook up wrote it: in the session's folder, without the worker's
 * secrets, outside the sandbox. Never throws: what goes wrong with it stops nobody.
 */
export async function runCommandHook(input: CommandHookInput): Promise<HookAnswer> {
  const { hook, event, payload, session, cwd, signal, processes, pluginRoot } = input;
  const { dialect } = hook;
  const began = performance.now();
  const ended = await processes
    .run({
      argv: ['sh', '-c', hook.command],
      cwd,
      environment: { CLAUDE_PROJECT_DIR: cwd, CLAUDE_PLUGIN_ROOT: pluginRoot },
      stdin: `${JSON.stringify(payload)}${dialect === 'claude' ? '\n' : ''}`,
      signal,
      timeoutMs: hook.timeoutMs,
      graceMs: GRACE_MS,
      maxOutputBytes: { stdout: MAX_OUTPUT_BYTES, stderr: MAX_OUTPUT_BYTES },
      maxSpillBytes: 0,
      session,
      confine: 'nothing',
    })
    .catch((error: Error) => error);
  const run = howItEnded(ended, hook.timeoutMs);
  const said = run.kind === 'failed' ? run.why : run.stderr;
  return {
    verdict: readHookOutput({ dialect, event, run }),
    durationMs: Math.round(performance.now() - began),
    ...(run.kind === 'exited' && { exitCode: run.exitCode }),
    ...(said !== '' && { said }),
  };
}

function howItEnded(ended: ProcessOutcome | Error, timeoutMs: number): HookRun {
  if (ended instanceof Error) return { kind: 'failed', why: ended.message };
  const { exitCode, signal, timedOut, aborted, stdout, stderr } = ended;
  if (timedOut) return { kind: 'failed', why: `it was ended after ${timeoutMs} ms` };
  if (aborted) return { kind: 'failed', why: 'its turn was stopped' };
  if (exitCode === null) return { kind: 'failed', why: `it was ended by ${signal ?? 'a signal'}` };
  if (stdout.truncated) return { kind: 'failed', why: `it wrote more than ${MAX_OUTPUT_BYTES} bytes` };
  return { kind: 'exited', exitCode, stdout: stdout.text, stderr: stderr.text };
}
