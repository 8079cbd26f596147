import { SHELL_PROMPT } from '../terminals-port.ts';
import { ToolError } from '../tool-error.ts';
import type { ToolRunContext } from '../tool-context.ts';
import { CommandOutput } from './command-output.ts';
import { describeEnd, onNewLine, type Ended } from './describe-end.ts';
import { endShell, keptShell, type KeptShell } from './kept-shell.ts';
import type { ShellDialect } from './shell-dialect.ts';

export interface RunInShellInput {
  dialect: ShellDialect;
  command: string;
  /** Unguessable, and new for each command. */
  nonce: string;
}

const POLL_MS = 25;
/** A program that waits for input is looked for after this long a silence, and has to be found twice. */
const QUIET_MS = 300;
/** How long an interrupted program may take to give the prompt back. */
const INTERRUPT_MS = 1_000;
const PROMPT_MS = 2_000;

/** Runs a command in the session's kept shell and answers with what it printed and how it ended. */
export async function runInShell(context: ToolRunContext, input: RunInShellInput): Promise<string> {
  const { dialect, command } = input;
  if (command.trim() === '') throw new Error('command must be a non-empty string');
  if (command.includes('\0')) throw new Error('command must not contain NUL characters');
  const shell = await keptShell(context, dialect);
  return shell.inTurn(async () => {
    if (await isUsable(shell)) return runIn(shell, context, input);
    await endShell(context, { dialect, shell, told: false });
    const other = await keptShell(context, dialect);
    return other.inTurn(() => runIn(other, context, input));
  });
}

/** A shell that has ended is of no use, nor one whose foreground does not heed an interrupt. */
async function isUsable(shell: KeptShell): Promise<boolean> {
  const { terminal } = shell;
  if (terminal.exit) return false;
  if (!shell.unfinished) return true;
  const { count } = terminal.prompt;
  await terminal.signal('SIGINT').catch(() => undefined);
  for (const until = Date.now() + INTERRUPT_MS; Date.now() < until;) {
    if (terminal.prompt.count > count) {
      shell.unfinished = false;
      return true;
    }
    await terminal.changed(POLL_MS);
  }
  return false;
}

/** Ends after which the shell is the same as before. */
const KEEPS_SHELL: ReadonlySet<Ended['kind']> = new Set(['status', 'unheard', 'waiting']);

async function runIn(shell: KeptShell, context: ToolRunContext, input: RunInShellInput): Promise<string> {
  const { dialect, command, nonce } = input;
  const { timeoutMs, maxOutputChars } = context.settings.persistentShell;
  const { terminal } = shell;
  const output = new CommandOutput({ ...dialect.markers(nonce), maxChars: maxOutputChars });
  const stopListening = terminal.onText((text) => output.push(text));
  const prompts = terminal.prompt.count;
  let ended: Ended | undefined;
  try {
    const inTime = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
    const typed = await terminal.write(`${dialect.line(command, nonce)}\r`, inTime);
    if (typed === 'cut' && !context.signal.aborted) throw new Error(notTaken(timeoutMs));
    ended = await untilEnded({ shell, context, output, prompts, timeoutMs });
    if (ended.kind === 'status') await untilPrompt(shell, prompts);
  } finally {
    stopListening();
    shell.unfinished = ended?.kind === 'waiting';
    if (!ended || !KEEPS_SHELL.has(ended.kind))
      await endShell(context, { dialect, shell, told: ended?.kind === 'exited' || ended?.kind === 'timeout' });
  }
  if (ended.kind === 'aborted') throw new ToolError('ABORTED', 'tool call aborted');
  const { news = '' } = shell;
  shell.news = undefined;
  const text = output.status === undefined ? withoutPrompt(output.text()) : output.text();
  return onNewLine(news, describeEnd(ended, { text, timeoutMs, exit: terminal.exit }));
}

const notTaken = (timeoutMs: number): string =>
  `the shell took only a part of the command within ${timeoutMs / 1000} seconds, so it was not run and the shell was reset; write a long command to a file and run that`;

/** A command that ended without our marker left the prompt behind its output. */
const withoutPrompt = (text: string): string =>
  text.endsWith(SHELL_PROMPT) ? text.slice(0, -SHELL_PROMPT.length).replace(/\n$/, '') : text;

/** The prompt comes behind the end marker; missed here, it would pass for the end of the next command. */
async function untilPrompt(shell: KeptShell, prompts: number): Promise<void> {
  const { terminal } = shell;
  if (shell.promptless) return;
  for (const until = Date.now() + PROMPT_MS; terminal.prompt.count === prompts; await terminal.changed(POLL_MS)) {
    if (terminal.exit) return;
    if (Date.now() >= until) shell.promptless = true;
    if (shell.promptless) return;
  }
}

interface UntilEndedInput {
  shell: KeptShell;
  context: ToolRunContext;
  output: CommandOutput;
  prompts: number;
  timeoutMs: number;
}

async function untilEnded({ shell, context, output, prompts, timeoutMs }: UntilEndedInput): Promise<Ended> {
  const { terminal } = shell;
  const begun = Date.now();
  let printedAt = begun;
  let seenWaiting = false;
  const stopListening = terminal.onText(() => (printedAt = Date.now()));
  try {
    for (;;) {
      if (output.status !== undefined) return { kind: 'status', status: output.status };
      if (context.signal.aborted) return { kind: 'aborted' };
      if (terminal.exit) return { kind: 'exited' };
      const now = Date.now();
      if (now - begun >= timeoutMs) return { kind: 'timeout' };
      const prompted = terminal.prompt.count > prompts;
      // An error that makes the shell drop the rest of the line (`set -u`, an interrupt) drops our marker too.
      if (output.started && prompted) return { kind: 'status', status: terminal.prompt.status ?? 0 };
      if (now - printedAt >= QUIET_MS) {
        const waiting = await terminal.waitsForInput();
        // At its prompt again without a word: `exec > log` sent our markers elsewhere with all other output.
        if (waiting && seenWaiting && output.status === undefined) return { kind: prompted ? 'unheard' : 'waiting' };
        seenWaiting = waiting;
      }
      await terminal.changed(POLL_MS);
    }
  } finally {
    stopListening();
  }
}
