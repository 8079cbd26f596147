import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallId, SessionId } from '@everturn/core/domain';
import { afterAll, onTestFinished } from 'vitest';
import { executeTool } from '../src/activity.ts';
import {
  editVersionAfter,
  FileObservations,
  confinePorts,
  ManagedEnvironment,
  resultText,
  ToolSettings,
  writeIntentAfter,
  type FilePolicy,
  type SandboxPolicy,
  type ToolCallContext,
} from '../src/kit/index.ts';
import { listProcesses, readProcess, readVariables } from '../src/world/processes/process-table.ts';
import { openLocalWorld, type LocalWorld, type OpenLocalWorldInput } from '../src/world/index.ts';
import { bubblewrap } from './runners.ts';

const directories: string[] = [];
afterAll(() => {
  for (const path of directories) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * An empty real directory, which is there until all tests of the file are done. Files that share a process must not
 * share this module: the second would find no `afterAll` of its own.
 */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-test-')));
  directories.push(path);
  return path;
}

/** Whether a process runs; one that is dead but not yet collected does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const entry = await readProcess(pid);
  return entry !== undefined && !entry.zombie;
}

/** The session of all calls; another one in each file, so that files may look for what is left of theirs. */
export const SESSION = `test-${randomUUID()}` as SessionId;

/** Every process of these tests that runs with this value of a variable. */
export async function pidsOf(name: string, value: string): Promise<number[]> {
  const found = await Promise.all(
    (await listProcesses())
      .filter(({ zombie }) => !zombie)
      .map(async ({ pid }) => {
        const variables = await readVariables(pid);
        return variables['EVERTURN_SESSION_ID'] === SESSION && variables[name] === value ? [pid] : [];
      }),
  );
  return found.flat();
}

/** An open signal. */
export const untouched = (): AbortSignal => new AbortController().signal;

/** Read before write, for one session. */
export function readBeforeWrite(seen = new FileObservations()): FilePolicy {
  return {
    writeIntent: async (file) => writeIntentAfter(seen.last(file)),
    editVersion: async (file) => editVersionAfter(seen.last(file), file),
    observed: async (file, observation) => seen.record(file, observation),
  };
}

export interface Workspace {
  cwd: string;
  world: LocalWorld;
  context(overrides?: ContextOverrides): ToolCallContext;
  /** Runs a tool and answers with its text and whether it failed. */
  call(name: string, args: unknown, overrides?: ContextOverrides): Promise<CallSummary>;
}
/** A call is unconfined unless it says otherwise. */
export type ContextOverrides = Partial<Omit<ToolCallContext, 'sandbox'>> & { sandbox?: Partial<SandboxPolicy> };
export interface CallSummary {
  text: string;
  isError: boolean;
  code?: string;
}

/** A real machine for one test: an empty directory and what runs in it, ended with the test. */
export async function openWorkspace(input: Partial<OpenLocalWorldInput> = {}): Promise<Workspace> {
  const cwd = temporaryDirectory();
  const world = await openLocalWorld({
    environment: process.env,
    spillRoot: temporaryDirectory(),
    ...bubblewrap,
    ...input,
  });
  onTestFinished(() => world.dispose());
  const session = SESSION;
  const context = ({ sandbox: given, ...overrides }: ContextOverrides = {}): ToolCallContext => {
    const sandbox: SandboxPolicy = { mode: 'danger-full-access', network: 'full', root: cwd, limits: {}, ...given };
    return {
      initiator: { session, turn: 1, step: 1, call: 0 },
      callId: 'call-1' as CallId,
      idempotencyKey: `${session}/1/1/0`,
      signal: untouched(),
      cwd,
      managedEnvironment: new ManagedEnvironment().collect({ home: '/nowhere', session }),
      settings: ToolSettings.parse({}),
      sandbox,
      ports: confinePorts(world.ports, sandbox),
      resources: world.resources.of(session),
      ...overrides,
    };
  };
  const call = async (name: string, args: unknown, overrides?: ContextOverrides): Promise<CallSummary> => {
    const result = await executeTool({ name, args, context: context(overrides) });
    return { text: resultText(result), isError: result.isError, ...(result.error && { code: result.error.code }) };
  };
  return { cwd, world, context, call };
}
