/**
 * Prints, as JSON, what tools cost beside the bare thing they are made of: `{name, ours, bare}` in ms for each, taken in
 * turns so that a busy moment meets both. Usage: time-tools.ts <folder with the tree "tree" and the file "lines.txt">.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { CallId, SessionId } from '@everturn/core/domain';
import { executeTool } from '../src/activity.ts';
import { ManagedEnvironment, ToolSettings } from '../src/kit/index.ts';
import { openLocalWorld } from '../src/world/index.ts';

const [cwd = '', runs = '5', commands = '1000', calls = '10000'] = process.argv.slice(2);
const session = 'bench' as SessionId;
const world = await openLocalWorld({ environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });

async function call(name: string, args: object): Promise<void> {
  const context = {
    initiator: { session, turn: 1, step: 1, call: 0 },
    callId: 'bench' as CallId,
    idempotencyKey: 'bench',
    signal: new AbortController().signal,
    cwd,
    managedEnvironment: new ManagedEnvironment().collect({ home: cwd, session }),
    settings: ToolSettings.parse({}),
    sandbox: { mode: 'danger-full-access', network: 'full', root: cwd, limits: {} } as const,
    ports: world.ports,
    resources: world.resources.of(session),
  };
  const { isError, content } = await executeTool({ name, args, context });
  if (isError) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
}

async function bareProgram(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

const middle = (sample: number[]): number => sample.toSorted((a, b) => a - b)[Math.floor(sample.length / 2)] ?? NaN;

/** The middle of so many rounds of each, the first left out. */
async function compare(name: string, rounds: number, pair: { ours(): Promise<unknown>; bare(): Promise<unknown> }) {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    ours.push(await timed(pair.ours));
    bare.push(await timed(pair.bare));
  }
  return { name, ours: middle(ours.slice(1)), bare: middle(bare.slice(1)) };
}

const many = (count: number, run: () => Promise<unknown>) => async () => {
  for (let n = 0; n < count; n++) await run();
};

const file = join(cwd, 'lines.txt');
const pattern = 'needle-[0-9]+';
const comparisons = [
  await compare('read of 2,000 lines, 100 times', Number(runs), {
    ours: many(100, () => call('read', { file_path: file })),
    bare: many(100, async () => (await readFile(file, 'utf8')).split('\n')),
  }),
  await compare('grep over the tree', Number(runs), {
    ours: () => call('grep', { pattern, path: 'tree' }),
    bare: () => bareProgram(rgPath, ['--json', '--no-config', `--regexp=${pattern}`, '--', 'tree']),
  }),
  await compare(`bash -c true, ${commands} times`, 1, {
    ours: many(Number(commands), () => call('bash', { command: 'true', description: 'nothing' })),
    bare: many(Number(commands), () => bareProgram('bash', ['-c', 'true'])),
  }),
];

const memory = (): number => {
  globalThis.gc?.();
  return process.memoryUsage.rss();
};
await many(500, () => call('read', { file_path: file, limit: 1 }))();
const before = memory();
await many(Number(calls), () => call('read', { file_path: file, limit: 1 }))();
const grownBytes = memory() - before;
await world.dispose();
process.stdout.write(`${JSON.stringify({ comparisons, calls: Number(calls), grownBytes })}\n`);
