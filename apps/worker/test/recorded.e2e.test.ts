import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { recordHistories } from './support/record-histories.ts';
import { startStack, type Stack } from './support/stack.ts';

/** What replays in `check` is recorded here: run with EVERTURN_RECORD_HISTORIES=1 to record anew. */
let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const post = (session: string, what: string) => stack.api.call('POST', `/v1/sessions/${session}/${what}`);

/** Closes the session, so that its histories are whole, checks it and keeps them. */
async function finish(session: string, name: string): Promise<void> {
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await stack.client.workflow.getHandle(`session:${session}`).result();
  await expectSound(stack, session);
  await recordHistories(stack, session, name);
}

async function turn(options: Record<string, unknown>): Promise<string> {
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  return session;
}

test('a plain answer', async () => {
  const session = await turn(scripted(stack, 'plain', () => ({ text: 'hello' })));
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  await finish(session, 'plain-answer');
});

test('three parallel tools, a list and a file', async () => {
  const file = join(stack.workspace, 'three.txt');
  writeFileSync(file, 'three\n');
  const read = { name: 'read', arguments: { file_path: file } };
  const todo = { name: 'todo_write', arguments: { todos: [{ content: 'read', status: 'completed' }] } };
  const session = await turn(scripted(stack, 'three', callsThenDone(read, read, read, todo, bash('echo hi'))));
  expect(logLines(await stack.api.turnEnded(session)).filter((line) => line.endsWith(' ok')).length).toBe(5);
  await finish(session, 'three-parallel-tools');
});

test('steering in the middle of a turn', async () => {
  const session = await turn(
    scripted(stack, 'steer', ({ lastUser }) =>
      lastUser === 'left' ? { text: 'left' } : { text: ['a ', 'b'], hold: { gate: 'steer', afterDeltas: 1 } },
    ),
  );
  await stack.model.held('steer');
  await stack.api.prompt(session, 'left', { mode: 'steer' });
  stack.model.release('steer');
  expect(logLines(await stack.api.turnEnded(session))).toContain('steering/message');
  await finish(session, 'steer-mid-turn');
});

test('cancelled while the model streams', async () => {
  const session = await turn(
    scripted(stack, 'cancel-stream', () => ({ text: ['a ', 'b'], hold: { gate: 'never', afterDeltas: 1 } })),
  );
  await stack.model.held('never');
  await post(session, 'cancel');
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end aborted');
  await finish(session, 'cancel-mid-stream');
});

test('cancelled while a tool runs', async () => {
  const session = await turn(scripted(stack, 'cancel-tool', callsThenDone(bash('sleep 600', 600_000), bash('echo'))));
  await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
  await post(session, 'cancel');
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end aborted');
  await finish(session, 'cancel-mid-tool');
});

test('a retry', async () => {
  const session = await turn(
    scripted(stack, 'retried', () => ({ text: 'x', fault: { kind: 'status', status: 500 }, faultTimes: 1 })),
  );
  expect(logLines(await stack.api.turnEnded(session))).toContain('llm/retry SERVER');
  await finish(session, 'retry');
});

test('steps inside their turn', async () => {
  const options = scripted(stack, 'inline', callsThenDone(bash('echo hi')));
  const session = await turn({ ...options, stepIsolation: 'inline' });
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  await finish(session, 'inline-steps');
});

test('a turn and a session that outgrow their histories continue as new; nothing of it shows in the log', async () => {
  const session = await turn(
    scripted(stack, 'long', (request) => {
      const answer = callsThenDone(bash('echo 1'))(request);
      return answer.text === undefined ? { ...answer, hold: 'long' } : answer;
    }),
  );
  await stack.model.held('long');
  const turnHandle = stack.client.workflow.getHandle(`session:${session}/turn:1`);
  // The same hint over and over: the turn takes it once, its history grows all the same.
  const entry = {
    requestId: 'again',
    kind: 'steering',
    content: [{ type: 'text', text: 'hint' }],
    source: { kind: 'user' },
    preview: 'hint',
  };
  for (let sent = 0; sent < 4_100; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => turnHandle.signal('steer', entry)));
  stack.model.release('long');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events)).toEqual([
    'turn/start',
    'user/message',
    'step/start',
    'request/header',
    'assistant/message',
    'tool/call call_1_1',
    'tool/result call_1_1 ok',
    'steering/message',
    'step/end',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  expect(await runsOf(`session:${session}/turn:1`)).toBe(2);

  const handle = stack.client.workflow.getHandle(`session:${session}`);
  const { runId } = await handle.describe();
  for (let sent = 0; sent < 1_000; sent += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        handle.executeUpdate('cancel', { args: [{ requestId: `c${sent + index}`, cause: 'user', queue: 'clear' }] }),
      ),
    );
  await waitFor(async () => (await handle.describe()).runId !== runId, {
    what: 'the session to continue as new',
    timeoutMs: 60_000,
  });
  await stack.api.prompt(session, 'and now');
  const after = await stack.api.turnEnded(session, 2);
  expect(logLines(after).filter((line) => line === 'request/header').length).toBe(1);
  await finish(session, 'continue-as-new');
}, 300_000);

async function runsOf(workflowId: string): Promise<number> {
  return waitFor(
    async () => {
      const { count } = await stack.client.workflow.count(`WorkflowId = "${workflowId}"`);
      return count > 1 && count;
    },
    { what: `${workflowId} to be listed` },
  );
}
