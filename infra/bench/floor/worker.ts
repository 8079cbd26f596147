/** The floor's worker process: Temporal with three workflow levels and two empty activities, and nothing of ours. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { floorQueue } from './queue.ts';

Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' });
const workflowsPath = fileURLToPath(new URL('workflows.ts', import.meta.url));
const worker = await Worker.create({
  connection,
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? '',
  taskQueue: floorQueue,
  workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') }),
  activities: { model: async () => {}, tool: async () => {} },
  // As the product's worker, so that the difference is ours and not a setting's.
  maxCachedWorkflows: 300,
  stickyQueueScheduleToStartTimeout: '500ms',
});
process.once('SIGTERM', () => worker.shutdown());
process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid })}\n`);
await worker.run();
await connection.close();
