import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '../stack/paths.ts';
import { type Tally, tallyOfReport, tallyOfStatus, type VitestReport } from './tally.ts';

/** One thing `npm test` runs. */
export interface Step {
  readonly name: string;
  run(): Promise<Tally>;
}

/** A command that passes or fails as a whole. */
export function command(name: string, program: string, ...args: string[]): Step {
  return { name, run: async () => tallyOfStatus(await execute(program, args)) };
}

/** Vitest on some projects, counted test by test. */
export function vitest(...projects: string[]): Step {
  const run = async (): Promise<Tally> => {
    const folder = mkdtempSync(join(tmpdir(), 'everturn-report-'));
    const file = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const status = await execute('vitest', ['run', ...projects.flatMap((name) => ['--project', name]), ...reporters]);
    const tally = tallyOfReport(readReport(file), status);
    rmSync(folder, { recursive: true, force: true });
    return tally;
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

function execute(program: string, args: string[]): Promise<number> {
  const file = join(workspaceRoot, 'node_modules', '.bin', program);
  const child = spawn(file, args, { cwd: workspaceRoot, env: testEnvironment(process.env), stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** The environment without what points at somebody's models, cluster or database: tests bring their own. */
export function testEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const personal = /^(OPENAI_|DEEPSEEK_|DATABASE_(DIRECT_)?URL$|PG[A-Z]+$|TEMPORAL_(?!CLI_PATH$)|EVERTURN_(?!TEST_))/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !personal.test(name)));
}
