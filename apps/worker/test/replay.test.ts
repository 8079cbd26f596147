import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';

interface History {
  events: { workflowExecutionStartedEventAttributes?: { workflowId?: string } }[];
}
const folder = new URL('./histories/', import.meta.url).pathname;
const files = readdirSync(folder).filter((name) => name.endsWith('.json.gz'));

let workflowBundle: WorkflowBundleWithSourceMap;
beforeAll(async () => {
  const workflowsPath = new URL('../src/workflows/index.ts', import.meta.url).pathname;
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}, 60_000);

test('the recorded histories cover what a landed workflow does', () => {
  const scenarios = new Set(files.map((name) => name.split('.')[0]));
  expect(scenarios).toEqual(
    new Set([
      'background-job',
      'cancel-mid-stream',
      'cancel-mid-tool',
      'continue-as-new',
      'firing',
      'inline-steps',
      'plain-answer',
      'program',
      'question',
      'ralph',
      'retry',
      'script',
      'steer-mid-turn',
      'team',
      'three-parallel-tools',
      'webhook',
    ]),
  );
});

test.each(files)('%s replays against the workflow code of today', async (name) => {
  const history = JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString('utf8')) as History;
  // Some make ids of their own.
  const { workflowId = name } = history.events[0]?.workflowExecutionStartedEventAttributes ?? {};
  await expect(Worker.runReplayHistory({ workflowBundle }, history, workflowId)).resolves.toBeUndefined();
});
