import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReminderId, SessionId } from '@everturn/core/domain';
import { REMINDER_WORKFLOW, reminderWorkflowId, type ReminderDue, type ReminderInput } from '@everturn/core/protocol';
import { waitFor } from '@everturn/core/testing';
import { heapAfterCollection, heapProbeEnvironment } from '../../../infra/bench/measure/heap.ts';
import { expectSound } from './support/expect-sound.ts';
import { inTurn } from './support/in-turn.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-heap-'));
const heapFile = join(folder, 'heap.json');
let stack: Stack;
beforeAll(async () => void (stack = await startStack({ worker: heapProbeEnvironment(heapFile) })));
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const heap = async () => (await heapAfterCollection(stack.worker().pid, heapFile)).heapBytes;
const quiet = (name: string) => stack.api.create(scripted(stack, name, () => ({ text: 'noted' })));

/** Sets a reminder as a client does that is told to come again. */
async function set(session: string, body: object): Promise<void> {
  const key = { 'idempotency-key': randomUUID() };
  const ask = () => stack.api.call('POST', `/v1/sessions/${session}/reminders`, body, key);
  const { status } = await waitFor(async () => [await ask()].find(({ status: now }) => now !== 503), {
    what: `${session} to take a reminder`,
    timeoutMs: 60_000,
    everyMs: 500,
  });
  expect(status).toBe(202);
}

/** Starts a clock as a session does, at a pace that no model may ask for. */
async function startClock(session: string, rule: { dueAt: number; everyMs: number }): Promise<string> {
  const id = 'schedule-900' as ReminderId;
  const input: ReminderInput = { session: session as SessionId, tenant: stack.tenant, id, ...rule, preview: 'clock' };
  const workflowId = reminderWorkflowId(session as SessionId, id);
  await stack.client.workflow.start(REMINDER_WORKFLOW, { workflowId, taskQueue: 'everturn', args: [input] });
  return workflowId;
}

/** When its session was told that something is due, in the words of the clock. */
async function told(session: string): Promise<number[]> {
  const history = await stack.client.workflow.getHandle(`session:${session}`).fetchHistory();
  return (history.events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const [payload] = signal?.input?.payloads ?? [];
    if (signal?.signalName !== 'reminderDue' || !payload) return [];
    return [defaultPayloadConverter.fromPayload<ReminderDue>(payload).dueAt];
  });
}

test('a clock whose worker slept through six slots tells of them once, and goes on in step', async () => {
  const session = await quiet('slept');
  const first = Date.now() + 1_500;
  const everyMs = 1_000;
  const clock = await startClock(session, { dueAt: first, everyMs });
  await waitFor(async () => (await told(session)).length >= 1, { what: 'the first slot', timeoutMs: 60_000 });
  await stack.worker().kill9();
  const before = await told(session);
  const wake = (before.at(-1) ?? first) + 7 * everyMs;
  await waitFor(() => Date.now() > wake, { what: 'six slots to pass' });
  await stack.startWorker();
  const after = await waitFor(async () => [await told(session)].find(({ length }) => length >= before.length + 3), {
    what: 'the clock to go on',
    timeoutMs: 30_000,
  });
  await stack.client.workflow.getHandle(clock).signal('disarm');
  for (const dueAt of after) expect((dueAt - first) % everyMs).toBe(0);
  const [missed = 0, next = 0, third = 0] = after.slice(before.length);
  expect(missed - (before.at(-1) ?? 0)).toBe(everyMs);
  expect(next - missed).toBeGreaterThanOrEqual(6 * everyMs);
  expect(third - next).toBe(everyMs);
});

test('a clock of many slots goes on with a fresh history, in step', async () => {
  const session = await quiet('many-slots');
  const everyMs = 20;
  const first = Date.now() + 500;
  const clock = await startClock(session, { dueAt: first, everyMs });
  const handle = stack.client.workflow.getHandle(clock);
  const { runId } = await handle.describe();
  const next = await waitFor(async () => [await handle.describe()].find((now) => now.runId !== runId), {
    what: 'the next run',
    timeoutMs: 800_000,
  });
  const ended = await stack.client.workflow.getHandle(clock, runId).describe();
  expect(ended.status.name).toBe('CONTINUED_AS_NEW');
  expect(ended.historyLength).toBeLessThan(5_000);
  const soFar = (await told(session)).length;
  await waitFor(async () => (await told(session)).length > soFar + 3, { what: 'slots of the next run' });
  await handle.signal('disarm');
  await handle.result();
  for (const dueAt of await told(session)) expect((dueAt - first) % everyMs).toBe(0);
  console.log(`${ended.historyLength} events in the first run, the next is ${next.runId}`);
});

test('10,000 armed reminders leave the memory of a worker flat, and one that is due among them comes in time', async () => {
  const sessions = await inTurn(Array.from({ length: 100 }), () => quiet('armed'));
  const arm = (each: number) =>
    inTurn(sessions, async (session) => {
      for (let n = 0; n < each; n += 1) {
        await set(session, { prompt: `${n}`, afterSeconds: 86_400 + n });
      }
    });
  const clocks = () =>
    stack.client.workflow.count(`WorkflowType = '${REMINDER_WORKFLOW}' AND ExecutionStatus = 'Running'`);
  const allRun = async (count: number) => {
    let seen = 0;
    const all = async () => (seen = (await clocks()).count) === count;
    await waitFor(all, { what: `${count} clocks`, timeoutMs: 300_000, everyMs: 1_000 }).catch((error: unknown) => {
      throw new Error(`${seen} of ${count} clocks run`, { cause: error });
    });
  };
  await arm(10);
  await allRun(1_000);
  const some = await heap();
  await arm(89);
  await allRun(9_900);
  await arm(1);
  await allRun(10_000);
  const all = await heap();
  console.log(`heap: ${Math.round(some / 1e6)} MB with 1,000 armed, ${Math.round(all / 1e6)} MB with 10,000`);
  // A hundred sessions hold what a hundred reminders each say; clocks that wait hold nothing.
  expect(all - some).toBeLessThan(20e6);

  const [session = ''] = sessions;
  const path = `/v1/sessions/${session}/reminders`;
  expect((await stack.api.call('POST', path, { prompt: 'one more', afterSeconds: 1 })).body).toMatchObject({
    code: 'REMINDER_REFUSED',
    message: expect.stringMatching(/^too_many_schedules/),
  });
  await stack.api.call('DELETE', `${path}/schedule-1`);
  await waitFor(async () => (await stack.api.call('POST', path, { prompt: 'now', afterSeconds: 1 })).status === 202, {
    what: 'room for one more',
  });
  const due = Date.now() + 1_000;
  // Turns without a step told of what was set; this one has words.
  const first = await stack.api.until(session, 'its turn', (log) => {
    const begun = log.find(({ type }) => type === 'user/message');
    return begun && log.at(-1)?.type === 'turn/end' && begun;
  });
  expect(first.time - due).toBeLessThan(5_000);
  await expectSound(stack, session);
}, 3_600_000);
