import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestingError } from './testing-error.ts';
import { workspaceRoot } from './workspace-root.ts';

const entry = 'apps/worker/src/workflows/index.ts';
const sources = ['apps/worker/src/**/*.ts', 'libs/*/src/**/*.ts', 'package-lock.json'];

/** Bundles the workflows, or finds the bundle of the very same sources; answers the file. Takes 2 to 10 s, once. */
export async function bundleWorkflows(): Promise<string> {
  const folder = join(workspaceRoot, 'node_modules/.cache/everturn/workflow-bundles');
  const file = join(folder, `${digestOfSources()}.js`);
  if (existsSync(file)) return file;
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const quiet = { trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error, log() {} };
  const { code } = await bundleWorkflowCode({ workflowsPath: join(workspaceRoot, entry), logger: quiet });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  return file;
}

/** Whether there are workflows to bundle. */
export function hasWorkflows(): boolean {
  return existsSync(join(workspaceRoot, entry));
}

/** The run's prebuilt bundle, as `workflowBundle` of a Worker takes it. */
export function workflowBundle(): { codePath: string } {
  const codePath = process.env['EVERTURN_WORKFLOW_BUNDLE'];
  if (codePath) return { codePath };
  const reason = process.env['EVERTURN_WORKFLOW_BUNDLE_ERROR'] ?? 'the run built none';
  throw new TestingError(
    'TESTING_BUNDLE_FAILED',
    `no workflow bundle: ${reason}`,
    'run apps/worker/test/bundle.test.ts, which says more',
  );
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = sources
    .flatMap((pattern) => globSync(pattern, { cwd: workspaceRoot }))
    .filter((file) => !file.endsWith('.test.ts'));
  for (const file of files.toSorted())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(workspaceRoot, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 24);
}
