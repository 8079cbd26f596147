import { closeSync, readFileSync } from 'node:fs';
import { MANAGED_PREFIX } from '../kit/managed-environment.ts';
import { isInheritable } from './processes/child-environment.ts';

/** Says, in the new program's environment, that the rest of the environment waits on the descriptor. */
const MARK = `${MANAGED_PREFIX}SEALED_ENVIRONMENT`;
const DESCRIPTOR = 9;

/** What the new program keeps in sight besides what commands may inherit: nothing of it is secret. */
const VISIBLE = new Set(['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NODE_ENV', 'NODE_V8_COVERAGE', 'FORCE_COLOR']);

/** Meaningless after the program was replaced: the descriptor behind it is closed. */
const STALE = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];

// A shell, because Node closes every descriptor but 0 to 2 on execve: it makes the pipe, then becomes Node again.
const HAND_OVER = `exec ${DESCRIPTOR}<<EVERTURN_END_OF_ENVIRONMENT
$EVERTURN_HANDED_OVER
EVERTURN_END_OF_ENVIRONMENT
unset EVERTURN_HANDED_OVER
exec "$@"`;

/** A pipe holds 64 KiB, and a shell that cannot write it all at once would have to write a file. */
const MAX_HANDED_OVER_BYTES = 60_000;

export interface SealEnvironmentInput {
  /** The live `process.env` of the program's entry. */
  environment: Record<string, string | undefined>;
  /** More names the program may keep in sight, as for commands. */
  allow?: readonly string[];
  /** Arguments of Node itself that the program gets besides its own when it is replaced. */
  nodeArguments?: readonly string[];
}

export type SealEnvironmentResult =
  | 'sealed'
  /** This system cannot replace a program in place (Windows, or an embedded thread). */
  | 'unsupported';

/**
 * Takes secrets out of sight of the commands this program will run. Leaving them out of a child's environment
 * is not enough: `/proc/<pid>/environ` of a parent shows what it was *started* with, whatever it deleted since.
 * So the first statement of a worker's entry calls this before it reads its configuration. On the first
 * pass it replaces the program (same pid, same arguments, same standard streams) by itself with a bare
 * environment and hands the rest over through a pipe, and does not return; on the second it reads the pipe
 * back into `environment`, which then lives in memory only. Throws when the environment cannot be handed over.
 *
 * What it does not do: a process of the same user that may trace this one can read its memory, and the
 * program that started this one still shows its own environment. Run commands under another user or in
 * the sandbox where that matters.
 */
export function sealEnvironment({
  environment,
  allow = [],
  nodeArguments = [],
}: SealEnvironmentInput): SealEnvironmentResult {
  if (environment[MARK] !== undefined) {
    delete environment[MARK];
    Object.assign(environment, JSON.parse(readFileSync(DESCRIPTOR, 'utf8')));
    closeSync(DESCRIPTOR);
    return 'sealed';
  }
  if (process.platform === 'win32' || typeof process.execve !== 'function') return 'unsupported';
  for (const name of STALE) delete environment[name];
  const visible: Record<string, string> = {};
  const hidden: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const inSight = VISIBLE.has(name) || (isInheritable(name, allow) && !value.includes('://'));
    (inSight ? visible : hidden)[name] = value;
  }
  if (Object.keys(hidden).length === 0 && nodeArguments.length === 0) return 'sealed';
  const text = JSON.stringify(hidden);
  if (Buffer.byteLength(text) > MAX_HANDED_OVER_BYTES)
    throw new Error(
      `the environment to hide takes more than ${MAX_HANDED_OVER_BYTES} bytes; start it with fewer variables`,
    );
  const command = [process.execPath, ...process.execArgv, ...nodeArguments, ...process.argv.slice(1)];
  process.execve('/bin/sh', ['sh', '-c', HAND_OVER, 'sh', ...command], {
    ...visible,
    [MARK]: '1',
    EVERTURN_HANDED_OVER: text,
  });
  throw new Error('this program could not be replaced by itself; is /bin/sh there?');
}
