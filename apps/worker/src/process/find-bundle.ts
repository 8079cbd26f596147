import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';

/** Workflow code ready to load, and a digest that names this build of it. */
export interface FoundBundle {
  bundle: WorkflowBundleOption;
  build: string;
}

/** The prebuilt bundle when one is named; otherwise bundles now, which takes seconds. */
export async function findBundle(path: string | undefined, log: Logger): Promise<FoundBundle> {
  if (path !== undefined) return { bundle: { codePath: path }, build: digest(await readFile(path)) };
  log.info('bundling workflows; set EVERTURN_WORKFLOW_BUNDLE to a prebuilt bundle to start faster');
  const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
  const bundle = await bundleWorkflowCode({ workflowsPath });
  return { bundle, build: digest(bundle.code) };
}

const digest = (code: string | Buffer): string => createHash('sha256').update(code).digest('hex').slice(0, 16);
