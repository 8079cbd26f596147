import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

interface Goal {
  id: string;
  revision: number;
  phase: string;
  roundsStarted: number;
  blockedReason?: { code: string };
}
const path = (session: string) => `/v1/sessions/${session}/goal`;
const goalOf = async (session: string) =>
  (await stack.api.call<{ goal: Goal | null; activation?: string }>('GET', path(session))).body;
const put = (session: string, body: object) =>
  stack.api.call<{ goal?: Goal; code?: string; message?: string }>('PUT', path(session), body);
const refOf = ({ id, revision }: Goal) => ({ id, revision });
const phaseIs = (session: string, phase: string) =>
  waitFor(async () => [await goalOf(session)].find(({ goal }) => goal?.phase === phase), {
    what: `the goal to be ${phase}`,
    timeoutMs: 60_000,
  });
const rounds = (events: readonly SessionEvent[]): number[] =>
  events.flatMap(({ type, data }) =>
    type === 'user/message' && data.source.kind === 'goal' ? [data.source.round] : [],
  );

/** What a model knows of the goal from the last result that told it. */
const goalSeen = ({ messages }: RequestView): Goal | undefined => {
  const told = messages
    .map(({ content }) => JSON.stringify(content ?? ''))
    .findLast((text) => text.includes('\\"goal\\":{'));
  const [, id, revision] = /goal-[0-9a-f-]{36}/.exec(told ?? '')
    ? (/(goal-[0-9a-f-]{36})\\",\\"revision\\":(\d+)/.exec(told ?? '') ?? [])
    : [];
  return id === undefined ? undefined : { id, revision: Number(revision), phase: '', roundsStarted: 0 };
};
const roundOf = ({ lastUser }: RequestView): number => Number(/Round: (\d+)\//.exec(lastUser)?.[1] ?? 0);
const update = (goal: Goal | undefined, action: string, more: object = {}) => ({
  name: 'update_goal',
  arguments: { goal_id: goal?.id ?? '', revision: goal?.revision ?? 0, action, ...more },
});

test('a person has the model set a goal; rounds follow until one of them completes it, and it may do no more than that', async () => {
  const script = (request: RequestView): ScriptAnswer => {
    const { lastUser, steps } = request;
    if (lastUser === 'go' && steps.length === 0)
      return { toolCalls: [{ name: 'create_goal', arguments: { objective: 'count to two', max_goal_rounds: 5 } }] };
    if (roundOf(request) === 1 && steps.length === 0)
      return {
        toolCalls: [
          { name: 'create_goal', arguments: { objective: 'another' } },
          update(goalSeen(request), 'blocked', { blocked_reason: 'tired' }),
        ],
      };
    if (roundOf(request) === 2 && steps.length === 0)
      return { toolCalls: [update(goalSeen(request), 'complete', { objective: '', max_goal_rounds: 0 })] };
    return { text: lastUser.startsWith('<goal_complete>') ? 'closed' : 'worked' };
  };
  const session = await stack.api.create(scripted(stack, 'goal-rounds', script));
  await stack.api.prompt(session, 'go');
  await phaseIs(session, 'complete');
  const events = await stack.api.turnEnded(session, 3);
  expect(rounds(events)).toEqual([1, 2]);
  const results = events.flatMap((event) => (event.type === 'tool/result' ? [event] : []));
  expect(results.map(({ data }) => data.isError)).toEqual([false, true, true, false]);
  const texts = results.map((result) => resultText([result], result.data.callId));
  expect(results[1]?.data.error).toEqual({ name: 'GoalError', code: 'GOAL_TOOL_AUTHORITY_REQUIRED' });
  expect(texts[1]).toContain('GOAL_TOOL_AUTHORITY_REQUIRED');
  expect(texts[2]).toContain('GOAL_TOOL_BLOCK_THRESHOLD');
  expect(JSON.parse(String(texts[3]))).toMatchObject({
    goal: { phase: 'complete', roundsStarted: 2 },
    activation: 'disarmed',
  });
  const last = events.slice(events.findLastIndex(({ type }) => type === 'turn/start'));
  expect(logLines(last).slice(-6)).toEqual([
    'context/message',
    'step/end',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  await expectSound(stack, session);
});

test('clients create, edit and pause a goal; rounds end at the limit, messages and reminders go between them, and a worker may die', async () => {
  const script = (request: RequestView): ScriptAnswer =>
    roundOf(request) === 2 ? { text: 'x', hold: 'round-two' } : { text: 'x' };
  const session = await stack.api.create(scripted(stack, 'goal-client', script));
  expect(await goalOf(session)).toEqual({ goal: null });
  // On a busy machine the answer comes before the session has it, and then without the goal.
  expect((await put(session, { operation: 'create', objective: 'go on', maxGoalRounds: 4 })).status).toBe(202);
  const made = await phaseIs(session, 'active');
  expect(made.goal).toMatchObject({ revision: 1 });
  expect((await put(session, { operation: 'create', objective: 'x' })).body).toMatchObject({
    code: 'GOAL_REFUSED',
    message: expect.stringMatching(/^GOAL_ALREADY_EXISTS/),
  });
  const ref = refOf(made.goal!);
  expect((await put(session, { operation: 'pause', ref: { ...ref, revision: 9 } })).body.message).toMatch(
    /^GOAL_STALE_REVISION/,
  );
  await stack.model.held('round-two');
  expect((await put(session, { operation: 'edit', ref, maxGoalRounds: 3 })).body.goal).toMatchObject({ revision: 2 });
  await stack.api.prompt(session, 'hello');
  await stack.api.call('POST', `/v1/sessions/${session}/reminders`, { prompt: 'tea', afterSeconds: 1 });
  const { body: copy } = await stack.api.call('POST', `/v1/sessions/${session}/fork`, {});
  const fork = String(copy['id']);
  await stack.worker().kill9();
  await stack.startWorker();
  stack.model.release('round-two');
  const ended = await phaseIs(session, 'blocked');
  expect(ended).toMatchObject({
    goal: { roundsStarted: 3, blockedReason: { code: 'round-limit' } },
    activation: 'disarmed',
  });
  const events = await stack.api.events(session);
  const senders = events.flatMap(({ type, data }) => (type === 'user/message' ? [data.source.kind] : []));
  expect(senders).toEqual(['goal', 'goal', 'user', 'plugin', 'goal']);
  expect(rounds(events)).toEqual([1, 2, 3]);
  const revisions = events.flatMap(({ type, data }) =>
    type === 'user/message' && data.source.kind === 'goal' ? [data.source.revision] : [],
  );
  expect(revisions).toEqual([1, 1, 2]);

  // What a fork has it works towards only when somebody says so.
  const copied = await waitFor(async () => [await goalOf(fork)].find(({ activation }) => activation !== undefined), {
    what: "the fork's goal",
  });
  expect(copied).toMatchObject({
    goal: { id: ref.id, phase: 'active', revision: 1, roundsStarted: 1, maxGoalRounds: 4 },
    activation: 'disarmed',
  });
  expect(rounds(await stack.api.events(fork))).toEqual([1]);
  const cleared = await stack.api.call('DELETE', path(session), { ref: refOf(ended.goal!) });
  expect(cleared.status).toBe(202);
  await waitFor(async () => (await goalOf(session)).goal === null, { what: 'the goal to be gone' });
  await expectSound(stack, session);
});

test('a person who cancels a round pauses the goal; a session that is reopened has it disarmed until somebody resumes it', async () => {
  const script = (request: RequestView): ScriptAnswer =>
    roundOf(request) === 1 ? { text: 'x', hold: 'never' } : { text: 'x' };
  const session = await stack.api.create(scripted(stack, 'goal-cancelled', script));
  await put(session, { operation: 'create', objective: 'go on', maxGoalRounds: 2 });
  await stack.model.held('never');
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`, {});
  const paused = await phaseIs(session, 'paused');
  expect((await put(session, { operation: 'edit', ref: refOf(paused.goal!), maxGoalRounds: 3 })).status).toBe(202);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'closed', {
    what: 'it to close',
  });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`);
  const reopened = await waitFor(
    async () => [await goalOf(session)].find(({ activation }) => activation !== undefined),
    { what: 'the goal' },
  );
  expect(reopened).toMatchObject({ goal: { phase: 'paused', roundsStarted: 1, revision: 3 }, activation: 'disarmed' });
  await put(session, { operation: 'resume', ref: refOf(reopened.goal!) });
  await phaseIs(session, 'blocked');
  expect(rounds(await stack.api.events(session))).toEqual([1, 2, 3]);
  await expectSound(stack, session);
});
