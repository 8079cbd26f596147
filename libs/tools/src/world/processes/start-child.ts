import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { AbortedBeforeSpawn, type RunProcessInput } from '../../kit/index.ts';
import { findExecutable } from './find-executable.ts';

/** A child that has started. */
export interface StartedChild {
  pid: number;
  /** Only where it was asked to stay open. */
  stdin: Writable | null;
  stdout: Readable;
  stderr: Readable;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface StartChildInput extends Pick<RunProcessInput, 'argv' | 'cwd' | 'stdin' | 'signal'> {
  /** All of it. */
  environment: Readonly<Record<string, string>>;
  /** The caller goes on writing; `stdin` is not sent then. */
  keepStdin?: boolean;
}

/** Starts a program as the leader of a new session; throws, before anything runs, with what is wrong. */
export async function startChild(input: StartChildInput): Promise<StartedChild> {
  const { argv, cwd, stdin, signal, environment, keepStdin = false } = input;
  const [name, ...args] = argv;
  if (!name) throw new Error('cannot start a process: the program is empty');
  const program = await findExecutable(name, environment['PATH']);
  if (signal.aborted) throw new AbortedBeforeSpawn(signal.reason);
  const child = spawnDetached(program, name, args, { cwd, piped: keepStdin || stdin !== undefined, environment });
  if (child instanceof Error) throw await explain(name, cwd, child);
  const exited = exitOf(child);
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  const { pid, stdout, stderr } = child;
  if (pid === undefined || !stdout || !stderr) throw await explain(name, cwd, await failed);
  child.stdin?.on('error', () => undefined); // a program that does not read its input is no failure
  if (!keepStdin) child.stdin?.end(stdin);
  return { pid, stdin: keepStdin ? child.stdin : null, stdout, stderr, exited };
}

/** Node reports some failures by throwing and others by an event. */
function spawnDetached(
  program: string,
  argv0: string,
  args: readonly string[],
  { cwd, piped, environment }: { cwd: string; piped: boolean; environment: Readonly<Record<string, string>> },
): ChildProcess | Error {
  try {
    return spawn(program, args, {
      cwd,
      env: environment,
      argv0,
      detached: true, // a new session: no terminal to read from, and one number to end all of it
      stdio: [piped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return error as Error;
  }
}

const exitOf = (child: ChildProcess): StartedChild['exited'] =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

async function explain(program: string, cwd: string, error: NodeJS.ErrnoException): Promise<Error> {
  if (error.code === 'E2BIG')
    return new Error(
      `cannot start "${program}": the arguments are longer than the system allows; put them into a file`,
    );
  const folder = await stat(cwd).catch((cause: NodeJS.ErrnoException) => cause.code ?? 'unreadable');
  if (typeof folder === 'string')
    return new Error(`cannot start "${program}": working directory "${cwd}" cannot be used (${folder})`);
  if (!folder.isDirectory()) return new Error(`cannot start "${program}": "${cwd}" is not a directory`);
  return new Error(`cannot start "${program}"`, { cause: error });
}
