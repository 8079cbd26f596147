import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { exemptFromFreezing, sharedRooms } from './shared-modules.ts';

/** All a Worker loads, relative to the root of the checkout. */
export const workflowsEntry = 'apps/worker/src/workflows/index.ts';

/** Everything a bundle can be made of. */
const sources = [
  'apps/worker/src/{workflows,contract}/**/*.ts',
  'libs/*/src/**/*.ts',
  'infra/temporal/{bundle-workflows,shared-modules}.ts',
  'package-lock.json',
];

/** How many bundles are kept: the one in use, and those of branches one goes back and forth between. */
const keptBundles = 5;

/**
 * Bundles the workflows of a checkout, or finds the bundle of the very same sources; answers the file.
 * Bundling takes 2 to 10 s, which neither every start nor every test run should pay.
 */
export async function bundleWorkflows(root: string): Promise<string> {
  const built = builtBundle(root);
  if (built !== undefined) return built;
  const { folder, file } = placeOf(root);
  const code = exemptFromFreezing(await bundle(join(root, workflowsEntry)));
  mkdirSync(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  discardOld(folder);
  return file;
}

/** The bundle of the very sources of a checkout, if it is there. */
export function builtBundle(root: string): string | undefined {
  const { file } = placeOf(root);
  return existsSync(file) ? file : undefined;
}

function placeOf(root: string): { folder: string; file: string } {
  const folder = join(root, 'node_modules/.cache/everturn/workflow-bundles');
  return { folder, file: join(folder, `${digestOfSources(root)}.js`) };
}

async function bundle(workflowsPath: string): Promise<string> {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const complaints: string[] = [];
  const note = (message: string) => void complaints.push(message);
  const logger = { trace() {}, debug() {}, info() {}, warn: note, error: note, log() {} };
  try {
    const { code } = await bundleWorkflowCode({
      workflowsPath,
      logger,
      preloadModules: [...sharedRooms, workflowsPath],
    });
    return code;
  } catch (cause) {
    const what = `the workflows cannot be bundled:\n${complaints.join('\n') || String(cause)}`;
    throw new InfraError(
      'INFRA_BUNDLE_FAILED',
      what,
      'something PURE reaches a Node builtin: `npm run boundaries`',
      cause,
    );
  }
}

function digestOfSources(root: string): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 24);
}

function discardOld(folder: string): void {
  const byAge = readdirSync(folder)
    .map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
  for (const { file } of byAge.slice(keptBundles)) rmSync(file, { force: true });
}
