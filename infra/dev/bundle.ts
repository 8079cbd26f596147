/** Bundles the workflows and prints the file: for whoever starts a worker without bundling on its own. */
import { bundleWorkflows } from '../temporal/bundle-workflows.ts';
import { runCommand } from './run-command.ts';
import { workspaceRoot } from './stack/paths.ts';

const help = `usage: bundle

Bundles the workflows unless the bundle of the very same sources is there, and prints its path.`;

await runCommand(help, async () => {
  process.stdout.write(`${await bundleWorkflows(workspaceRoot)}\n`);
  return 0;
});
