import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { logLines } from './support/log-lines.ts';
import { callsThenDone, bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const deploymentName = 'blue';
let stack: Stack;
beforeAll(async () => void (stack = await startStack({ worker: { EVERTURN_DEPLOYMENT: deploymentName } })));
afterAll(() => stack?.stop());

/** What the deploy step does. */
async function makeCurrent(buildId: string): Promise<void> {
  const { namespace } = stack.temporal;
  const set = () =>
    stack.client.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId }).then(
      () => true,
      () => undefined, // the server has not heard of every queue yet
    );
  await waitFor(set, { what: 'the version to be known', timeoutMs: 30_000 });
}

test('under a named deployment a session runs on the current version and moves on with it', async () => {
  const { build } = stack.worker().ready;
  await makeCurrent(String(build));
  const session = await stack.api.create(scripted(stack, 'versioned', callsThenDone(bash('echo hi'))));
  await stack.api.prompt(session, 'go');
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  for (const id of [`session:${session}`, `session:${session}/turn:1/step:1`]) {
    const { raw } = await stack.client.workflow.getHandle(id).describe();
    expect(raw.workflowExecutionInfo?.versioningInfo).toMatchObject({
      behavior: 2, // auto-upgrade
      deploymentVersion: { deploymentName, buildId: build },
    });
  }
});
