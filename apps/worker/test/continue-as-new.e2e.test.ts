import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { logLines } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { finishRecording } from './support/record-histories.ts';
import { startStack, type Stack } from './support/stack.ts';

const STEPS = 12;

/** A server that advises a fresh history early, so that short runs reach what long ones do. */
let stack: Stack;
beforeAll(async () => {
  const temporalConfig = ['limit.historyCount.suggestContinueAsNew=50'];
  stack = await startStack({ own: ['temporal'], temporalConfig });
});
afterAll(() => stack?.stop());

async function runsOf(workflowId: string): Promise<number> {
  return waitFor(
    async () => {
      const { count } = await stack.client.workflow.count(`WorkflowId = "${workflowId}"`);
      return count > 1 && count;
    },
    { what: `${workflowId} to be listed` },
  );
}

test('a turn and a session that outgrow their histories go on in new ones, and nothing of it shows in the log', async () => {
  const session = await stack.api.create(
    scripted(stack, 'long', ({ steps, lastUser }) =>
      lastUser === 'go' && steps.length < STEPS ? { toolCalls: [bash(`echo ${steps.length}`)] } : { text: 'done' },
    ),
  );
  await stack.api.prompt(session, 'go');
  const lines = logLines(await stack.api.turnEnded(session));
  expect(lines.filter((line) => line === 'step/start').length).toBe(STEPS + 1);
  expect(lines.filter((line) => line === 'request/header').length).toBe(1);
  expect(await runsOf(`session:${session}/turn:1`)).toBeGreaterThan(1);

  for (let turn = 2; turn <= 6; turn += 1) {
    await stack.api.prompt(session, `go on ${turn}`);
    await stack.api.turnEnded(session, turn);
  }
  expect(await runsOf(`session:${session}`)).toBeGreaterThan(1);
  const all = logLines(await stack.api.turnEnded(session, 6));
  expect(all.filter((line) => line === 'request/header').length).toBe(1);
  await finishRecording(stack, session, 'continue-as-new');
});
