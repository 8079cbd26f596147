import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runScript } from './run-script.ts';
import { TestingError } from './testing-error.ts';
import { workspaceRoot } from './workspace-root.ts';

/** Bundles the workflows, or finds the bundle of the very same sources; answers the file, or undefined without workflows. */
export async function bundleWorkflows(): Promise<string | undefined> {
  if (!existsSync(join(workspaceRoot, 'apps/worker/src/workflows/index.ts'))) return undefined;
  return (await runScript('infra/dev/bundle.ts')).trim();
}

/** The run's prebuilt bundle, as `workflowBundle` of a Worker takes it. */
export function workflowBundle(): { codePath: string } {
  const codePath = process.env['EVERTURN_WORKFLOW_BUNDLE'];
  if (codePath) return { codePath };
  const reason = process.env['EVERTURN_WORKFLOW_BUNDLE_ERROR'] ?? 'the run built none';
  throw new TestingError('TESTING_BUNDLE_FAILED', `no workflow bundle: ${reason}`, 'mend the workflows');
}
