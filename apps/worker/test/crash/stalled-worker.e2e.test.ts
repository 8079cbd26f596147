import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnProcess, waitFor, type SpawnedProcess } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { bash, callsThenDone, scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

/** A second worker, on a machine of its own as far as the product can tell. */
async function secondWorker(): Promise<SpawnedProcess> {
  return spawnProcess('apps/worker/src/main.ts', {
    ...stack.environment,
    EVERTURN_HOST_ID: 'second',
    EVERTURN_DATA_DIR: join(stack.dataDir, 'second'),
  });
}

async function stallUntil(what: string, done: () => Promise<boolean>): Promise<void> {
  process.kill(stack.worker().pid, 'SIGSTOP');
  try {
    await waitFor(done, { what, timeoutMs: 60_000 });
  } finally {
    process.kill(stack.worker().pid, 'SIGCONT');
  }
}

test('stalled past its heartbeats while the model streams: one answer in the log, the late one is refused', async () => {
  let asked = 0;
  const options = scripted(stack, 'stalled', () => {
    asked += 1;
    return asked === 1 ? { text: ['late ', 'answer'], hold: { gate: 'stalled', afterDeltas: 1 } } : { text: 'fresh' };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  await stack.model.held('stalled');
  await stack.api.until(session, 'a chunk', (events) => events.some(({ type }) => type === 'assistant/chunk'));
  const second = await secondWorker();
  try {
    await stallUntil('the other worker to finish the turn', async () =>
      (await stack.api.events(session)).some(({ type }) => type === 'turn/end'),
    );
    stack.model.release('stalled');
    const events = await stack.api.turnEnded(session);
    expect(logLines(events).filter((line) => line === 'assistant/message').length).toBe(1);
    expect(logLines(events)).toContain('llm/retry TRANSPORT');
    await expectSound(stack, session);
  } finally {
    await second.stop();
  }
});

test('stalled while bash runs: one effect, one result', async () => {
  const mark = join(stack.workspace, 'stalled-bash');
  const session = await stack.api.create(
    scripted(stack, 'stalled-bash', callsThenDone(bash(`echo x >> ${mark}; sleep 6; echo ended`, 60_000))),
  );
  await stack.api.prompt(session, 'go');
  await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
  await waitFor(() => readFileSync(mark, 'utf8') === 'x\n', { what: 'bash to run' });
  const second = await secondWorker();
  try {
    const started = Date.now();
    await stallUntil('the heartbeat to be overdue', async () => Date.now() - started > 4_500);
    const events = await stack.api.turnEnded(session);
    expect(logLines(events).filter((line) => line.startsWith('tool/result')).length).toBe(1);
    expect(readFileSync(mark, 'utf8')).toBe('x\n');
    await expectSound(stack, session);
  } finally {
    await second.stop();
  }
});
