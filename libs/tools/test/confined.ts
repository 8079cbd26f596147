import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ProcessOutcome, RunProcessInput, SandboxPolicy } from '../src/kit/index.ts';
import { findBubblewrap } from '../src/world/sandbox/find-bubblewrap.ts';
import { findLandlock } from '../src/world/sandbox/find-landlock.ts';
import { LocalSandbox } from '../src/world/sandbox/local-sandbox.ts';
import { runnerSearch } from './runners.ts';
import { openWorkspace, untouched } from './workspace.ts';

const alone = {
  bubblewrap: new LocalSandbox(runnerSearch, [findBubblewrap]),
  landlock: new LocalSandbox(runnerSearch, [findLandlock]),
};

export interface Confined {
  workspace: string;
  /** A folder beside the workspace, not below a temporary one. */
  outside: string;
  outsideFiles(): Record<string, string>;
  run(
    command: string,
    overrides?: Partial<RunProcessInput> & { policy?: Partial<SandboxPolicy> },
  ): Promise<ProcessOutcome>;
  endSession(): Promise<void>;
}

/** Commands under one runner in a workspace beside a folder that holds `kept` with the text `original`. */
export async function openConfined(runner: keyof typeof alone, tool = 'bash'): Promise<Confined> {
  const home = temporaryHome();
  const [workspace, outside] = [join(home, 'workspace'), join(home, 'outside')];
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'original');
  const { world } = await openWorkspace({ sandbox: alone[runner] });
  const run: Confined['run'] = (command, { policy, ...overrides } = {}) =>
    world.ports.processes.run({
      argv: [tool, '-c', command],
      cwd: workspace,
      environment: { OUT: outside },
      signal: untouched(),
      timeoutMs: 20_000,
      graceMs: 500,
      maxOutputBytes: { stdout: 64_000, stderr: 64_000 },
      maxSpillBytes: 0,
      session: 'confined' as never,
      confine: { mode: 'workspace-write', network: 'full', root: workspace, limits: {}, ...policy },
      ...overrides,
    });
  return {
    workspace,
    outside,
    outsideFiles: () =>
      Object.fromEntries(readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')])),
    run,
    endSession: () => world.endSession('confined' as never),
  };
}

/** A folder that commands may not write to, as those below a temporary one always may. */
export function temporaryHome(): string {
  const home = realpathSync(mkdtempSync('/var/tmp/everturn-sandbox-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
