import { ActivityCancellationDetails } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { streamModelActivity } from './stream-model.ts';
import { headerAnswering } from './testing/header-answering.ts';
import { attempt, testProcess } from './testing/test-process.ts';
import { atModelCall, logOf } from './testing/test-turn.ts';

let model: ScriptedModel;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel({ pace: 'instant' });
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});

const process = (): Promise<ActivityDeps> => testProcess({ projection, model });

const heldAfterOne = (gate: string) =>
  headerAnswering(model, { text: 'one two three four five six', hold: { gate, afterDeltas: 1 } });

test('a call that is cancelled by the workflow returns what it has: chunks, no message', async () => {
  const { header } = heldAfterOne('cancelled');
  const deps = await process();
  const step = await atModelCall(deps, header);
  const running = attempt(streamModelActivity(deps), step.input);
  await model.held('cancelled');
  await waitFor(async () => (await logOf(step)).includes('assistant/chunk'), { what: 'a chunk' });
  running.cancel();
  expect(await running.result).toMatchObject({ outcome: { kind: 'aborted' }, written: [] });
  const log = await logOf(step);
  expect(log).toContain('assistant/chunk');
  expect(log).not.toContain('assistant/message');
});

test('a cancel that reaches a waiting attempt reaches the holder through the claim', async () => {
  const { header } = heldAfterOne('far-cancel');
  const deps = await process();
  const step = await atModelCall(deps, header);
  const running = attempt(streamModelActivity(deps), step.input);
  await model.held('far-cancel');
  const waiting = attempt(streamModelActivity(await process()), step.input);
  await waitFor(() => waiting.beats() > 0, { what: 'heartbeats' });
  waiting.cancel();
  expect((await waiting.result).outcome).toEqual({ kind: 'aborted' });
  expect((await running.result).outcome).toEqual({ kind: 'aborted' });
});

test.each([
  ['TIMED_OUT', { timedOut: true }],
  ['NOT_FOUND', { notFound: true }],
] as const)(
  '%s ends the attempt, not the call: its paid answer waits for the next attempt',
  async (reason, details) => {
    const { header, asked } = heldAfterOne(reason);
    const deps = await process();
    const step = await atModelCall(deps, header);
    const gone = attempt(streamModelActivity(deps), step.input);
    await model.held(reason);
    gone.cancel(reason, new ActivityCancellationDetails(details));
    await expect(gone.result).rejects.toThrow('the work goes on and its outcome is kept');
    const next = attempt(streamModelActivity(deps), step.input);
    model.release(reason);
    expect(await next.result).toMatchObject({ outcome: { kind: 'success', preview: 'one two three four five six' } });
    expect(asked()).toBe(1);
  },
);

test('a worker that shuts down lets a call run until the grace is over', async () => {
  const { header } = heldAfterOne('shutdown');
  const deps = await process();
  const step = await atModelCall(deps, header);
  const running = attempt(streamModelActivity(deps), step.input);
  await model.held('shutdown');
  running.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
  await waitFor(() => running.beats() > 1, { what: 'heartbeats' });
  deps.effects.stopAll('shutdown');
  expect((await running.result).outcome).toEqual({
    kind: 'failure',
    failure: { code: 'TRANSPORT', message: 'the worker shut down while the model was answering' },
  });
  await deps.effects.quiet();
});
