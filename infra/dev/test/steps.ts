import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '../stack/paths.ts';
import { leftovers } from './leftovers.ts';
import { type Tally, tallyOfReport, tallyOfStatus, total, type VitestReport } from './tally.ts';

/** One thing `npm test` runs. */
export interface Step {
  readonly name: string;
  run(): Promise<Tally>;
}

/** A command that passes or fails as a whole. */
export function command(name: string, program: string, ...args: string[]): Step {
  return { name, run: async () => tallyOfStatus(await execute(program, args)) };
}

/** Vitest on some projects, counted test by test; that it left nothing behind is one more. */
export function vitest(...projects: string[]): Step {
  const run = async (): Promise<Tally> => {
    const folder = mkdtempSync(join(tmpdir(), 'everturn-run-'));
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    chmodSync(folder, 0o755); // PostgreSQL runs as another user when the tests run as root
    const file = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = await execute('vitest', ['run', ...projects.flatMap((name) => ['--project', name]), ...reporters], {
      TMPDIR: temporary,
      // Node's own cache of compiled code stays where the next run finds it.
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache'),
    });
    const tally = tallyOfReport(readReport(file), status);
    const left = await leftovers(temporary);
    rmSync(folder, { recursive: true, force: true });
    return total([tally, { ...tallyOfStatus(left.length), failures: left.map((what) => `left behind: ${what}`) }]);
  };
  return { name: `tests: ${projects.join(', ')}`, run };
}

function readReport(file: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  } catch {
    return undefined;
  }
}

function execute(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const file = join(workspaceRoot, 'node_modules', '.bin', program);
  const child = spawn(file, args, {
    cwd: workspaceRoot,
    env: { ...testEnvironment(process.env), ...env },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The environment without what points at somebody's models, cluster or database: tests bring their own. */
export function testEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const personal =
    /^(OPENAI_|DEEPSEEK_|ANTHROPIC_|DATABASE_(DIRECT_)?URL$|PG[A-Z]+$|TEMPORAL_(?!CLI_PATH$)|EVERTURN_(?!TEST_))/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !personal.test(name)));
}
