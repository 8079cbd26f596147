import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxPolicy, SandboxPort } from '../../kit/index.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import type { GroupRegistry } from '../processes/group-registry.ts';
import { OutputCollector } from '../processes/output-collector.ts';
import { ProcessGroup } from '../processes/process-group.ts';
import { startChild } from '../processes/start-child.ts';
import type { ServerDefinition } from './server-definition.ts';

const MAX_STDERR_BYTES = 1_000_000;
const SHOWN_STDERR_CHARACTERS = 2_000;
const DRAIN_MS = 500;

/** The process of a language server. */
export interface ServerProcess {
  stdin: Writable;
  stdout: Readable;
  group: ProcessGroup;
  /** Whether it may not see this process, which it would otherwise watch. */
  confined: boolean;
  /** Resolves when it has ended, with how, and with what it wrote to its error stream last. */
  exited: Promise<string>;
}

export interface StartServerInput {
  definition: ServerDefinition;
  /** Absolute and real. */
  workspace: string;
  registry: GroupRegistry;
  sandbox: SandboxPort;
  /** What the sessions may do that it answers. */
  confine: Pick<SandboxPolicy, 'mode' | 'network'>;
  inherited: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** ms for a server that was told to stop a request. */
  graceMs: number;
}

/**
 * Starts a server with the environment of commands, never the worker's own; throws with what is wrong. It loads what
 * lies in the workspace (its TypeScript, its build scripts), so it may do what a command of the session may. Where that
 * is to write nothing it still has a temporary folder. Limits are for commands, which end.
 */
export async function startServer(input: StartServerInput): Promise<ServerProcess> {
  const { definition, workspace, registry, sandbox, confine, inherited, signal } = input;
  // Servers that are ended by a signal leave their temporary files; these go with the process.
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'everturn-lsp-')));
  const tidy = () => rm(temporary, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  const leave = async (error: unknown): Promise<never> => {
    await tidy();
    throw error;
  };
  const policy: SandboxPolicy = { ...confine, root: workspace, scratch: temporary, limits: {} };
  const confined = await sandbox.wrap(policy, definition.command, workspace).catch(leave);
  const { argv, runner } = confined;
  const given = { TMPDIR: temporary, ...definition.environment, ...confined.environment };
  const environment = childEnvironment(inherited, { ...given, ...registry.marks(undefined) });
  const child = await startChild({ argv, cwd: workspace, keepStdin: true, signal, environment }).catch(leave);
  if (!child.stdin) throw new Error(`language server "${definition.id}" has no input`);
  const group = new ProcessGroup(child.pid);
  registry.add(group, undefined); // several sessions may share it, so it ends with none of them alone
  const stderr = new OutputCollector({ maxBytes: MAX_STDERR_BYTES });
  child.stderr.on('data', (chunk: Buffer) => void stderr.push(chunk));
  const closed = once(child.stderr, 'close').catch(() => undefined);
  const exited = child.exited.then(async ({ code, signal: endedBy }) => {
    await Promise.race([closed, sleep(DRAIN_MS)]); // what it said last may still be in the pipe
    const { text } = await stderr.finish();
    await tidy();
    const said = text.trim().slice(-SHOWN_STDERR_CHARACTERS);
    const how = endedBy === null ? `exit code ${code}` : endedBy;
    return `language server "${definition.id}" ended (${how})${said === '' ? '' : `: ${said}`}`;
  });
  return { stdin: child.stdin, stdout: child.stdout, group, confined: runner !== undefined, exited };
}
