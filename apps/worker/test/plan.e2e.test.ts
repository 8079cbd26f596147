import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

/** Answers in this order, whatever a conversation holds besides. */
const inOrder =
  (...answers: ScriptAnswer[]) =>
  (request: RequestView) =>
    answers[request.messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'done' };

const exit = (plan: string) => ({ name: 'exit_plan_mode', arguments: { plan } });
const at = (session: string, rest: string) => `/v1/sessions/${session}${rest && `/${rest}`}`;
const plan = (session: string) => stack.api.call('GET', at(session, 'plan'));
const setPlan = async (session: string, active: boolean) => {
  const { status, body } = await stack.api.call('PUT', at(session, 'plan'), { active });
  return [status, body['result']];
};

interface Waiting {
  interactions: { id: string; request: { intent?: unknown; questions: unknown[] } }[];
}
const review = (session: string) =>
  waitFor(
    async () => {
      const { body } = await stack.api.call<Waiting>('GET', at(session, 'interactions?state=open'));
      return body.interactions[0];
    },
    { what: 'a review', timeoutMs: 30_000 },
  );

async function answer(session: string, given: { selected: string[]; custom?: string }): Promise<void> {
  const { id } = await review(session);
  const body = { answers: [{ id: 'plan-review', ...given }] };
  const { status } = await stack.api.call('POST', at(session, `questions/${id}/answer`), body);
  expect(status).toBe(202);
  await waitFor(
    async () =>
      (await stack.api.call<Waiting>('GET', at(session, `interactions?state=open`))).body.interactions[0]?.id !== id,
    { what: 'the answer to be taken', timeoutMs: 60_000 },
  );
}

const PLACES = new Set(['turn/start', 'plan/mode', 'context/message', 'step/start', 'request/header', 'turn/end']);
/** What says when plan mode changed and who was told. */
const outline = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => {
    if (!PLACES.has(event.type)) return [];
    if (event.type === 'plan/mode') return [`plan ${event.data.active ? 'on' : 'off'}`];
    if (event.type === 'request/header')
      return [`header${event.data.header.system?.includes('Plan mode is on.') ? ' planning' : ''}`];
    return [event.type === 'context/message' ? 'told' : event.type];
  });

test(
  'denied until a person approves: through a kill, feedback, and from the next step on',
  { timeout: 120_000 },
  async () => {
    const script = inOrder(
      { toolCalls: [bash('echo 1 >> plan.log'), { name: 'glob', arguments: { pattern: '*.none' } }] },
      { toolCalls: [exit('rename it')] },
      { toolCalls: [exit('# Rename it')] },
      { toolCalls: [exit('# Rename it, tests first'), bash('echo 2 >> plan.log')] },
      { toolCalls: [bash('echo 3 >> plan.log; cat plan.log')] },
    );
    const options = { planMode: true, planEnforcement: 'deny' };
    const session = await stack.api.create({ ...scripted(stack, 'planning', script), ...options, prompt: 'go' });
    const asked = await review(session);
    expect(asked.request).toMatchObject({
      intent: { kind: 'plan-review', detail: '# Rename it', approve: 'Approve' },
      questions: [{ id: 'plan-review', options: [{ label: 'Approve' }, { label: 'Keep planning' }] }],
    });
    expect((await stack.api.call('GET', at(session, ''))).body).toMatchObject({ status: 'waiting' });
    expect((await plan(session)).body).toEqual({ active: true, enforcement: 'deny' });
    expect((await stack.api.call('GET', at(session, 'projections'))).body['plan']).toEqual({ active: true });
    await stack.worker().kill9();
    await stack.startWorker();
    await answer(session, { selected: [], custom: 'tests  first' });
    await answer(session, { selected: ['Approve'] });
    const events = await stack.api.turnEnded(session);
    const denied = 'Error: plan mode is active; present the plan with exit_plan_mode first';
    expect(resultText(events, 'call_1_1')).toBe(denied);
    expect(resultText(events, 'call_1_2')).not.toContain('plan mode');
    expect(resultText(events, 'call_2_1')).toContain('must begin with a heading');
    expect(resultText(events, 'call_3_1')).toBe('Error: tests  first');
    expect(resultText(events, 'call_4_1')).toContain('The user approved the plan');
    // Approved, but the step is still one of planning.
    expect(resultText(events, 'call_4_2')).toBe(denied);
    expect(resultText(events, 'call_5_1')).toBe('3\n');
    expect(outline(events)).toEqual([
      'turn/start',
      'plan on',
      'step/start',
      'header planning',
      'step/start',
      'step/start',
      'step/start',
      'plan off',
      'step/start',
      'header',
      'step/start',
      'turn/end',
    ]);
    expect((await plan(session)).body).toEqual({ active: false, enforcement: 'deny' });
    await expectSound(stack, session);
  },
);

test.each(['child', 'inline'])('switched by a person, steps %s: before the next step, told once', async (isolation) => {
  const name = `switched-${isolation}`;
  const hold = { gate: name, afterDeltas: 0 };
  const script = inOrder({ toolCalls: [bash('true')], hold }, { text: 'first' }, { text: 'second' });
  const session = await stack.api.create({ ...scripted(stack, name, script), stepIsolation: isolation, prompt: 'go' });
  await stack.model.held(name);
  expect(await setPlan(session, true)).toEqual([202, 'queued']);
  expect(await setPlan(session, false)).toEqual([202, 'cancelled']);
  expect(await setPlan(session, true)).toEqual([202, 'queued']);
  expect(await setPlan(session, true)).toEqual([202, 'noop']);
  stack.model.release(name);
  await stack.api.turnEnded(session);
  await waitFor(async () => (await stack.api.call('GET', at(session, ''))).body['status'] === 'idle', { what: 'rest' });
  expect(await setPlan(session, false)).toEqual([202, 'committed']);
  await stack.api.turnEnded(session, 2);
  expect((await plan(session)).body).toEqual({ active: false });
  await stack.api.prompt(session, 'again');
  const events = await stack.api.turnEnded(session, 3);
  expect(outline(events)).toEqual([
    'turn/start',
    'step/start',
    'header',
    'plan on',
    'told',
    'step/start',
    'header planning',
    'turn/end',
    'turn/start',
    'plan off',
    'turn/end',
    'turn/start',
    'told',
    'step/start',
    'header',
    'turn/end',
  ]);
  expect((await stack.api.call('PUT', at(session, 'plan'), { active: 'yes' })).body).toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('body.active'),
  });
  expect((await stack.api.call('PUT', '/v1/sessions/nobody/plan', { active: true })).status).toBe(404);
  await expectSound(stack, session);
});

test('approved and cancelled before the next step: the end stays to come, also through the death of the session', async () => {
  const script = inOrder(
    { toolCalls: [exit('# Do it'), bash('echo begun > begun.log; sleep 600')] },
    { text: 'carried out' },
  );
  const session = await stack.api.create({ ...scripted(stack, 'interrupted', script), planMode: true, prompt: 'go' });
  await answer(session, { selected: ['Approve'] });
  await stack.api.until(
    session,
    'the next call',
    (events) => events.filter(({ type }) => type === 'tool/call').length === 2,
  );
  expect((await stack.api.call('POST', at(session, 'cancel'), {})).status).toBe(202);
  await stack.api.turnEnded(session);
  expect((await plan(session)).body).toEqual({ active: true, next: false });
  await stack.client.workflow.getHandle(`session:${session}`).terminate('test');
  await stack.api.prompt(session, 'again');
  const events = await stack.api.turnEnded(session, 2);
  expect(outline(events).slice(-5)).toEqual(['turn/start', 'plan off', 'step/start', 'header', 'turn/end']);
  // Resumed in the middle of planning it goes on planning. A turn is in the log a moment before its session knows that it
  // ended; a switch in that moment waits for the next turn, and is taken back here.
  const switched = async () =>
    (await setPlan(session, true))[1] === 'committed' || (await setPlan(session, false), false);
  await waitFor(switched, { what: 'a switch of a session that rests' });
  await stack.api.turnEnded(session, 3);
  expect((await stack.api.call('DELETE', at(session, ''))).status).toBe(202);
  await waitFor(async () => (await stack.api.call('GET', at(session, ''))).body['status'] === 'closed', {
    what: 'its end',
  });
  expect((await stack.api.call('POST', at(session, 'resume'), {})).status).toBeLessThan(300);
  await stack.api.prompt(session, 'on');
  expect(outline(await stack.api.turnEnded(session, 4)).slice(-5)).toEqual([
    'turn/start',
    'told',
    'step/start',
    'header planning',
    'turn/end',
  ]);
  await expectSound(stack, session);
});

test('a fork plans if what it begins with did, whatever its parent does since', async () => {
  const session = await stack.api.create({
    ...scripted(stack, 'forked-plan', inOrder()),
    planMode: true,
    prompt: 'go',
  });
  await stack.api.turnEnded(session);
  await waitFor(async () => (await stack.api.call('GET', at(session, ''))).body['status'] === 'idle', { what: 'rest' });
  const { status, body } = await stack.api.call('POST', at(session, 'fork'), {});
  expect(status).toBe(201);
  const fork = String(body['id']);
  expect(await setPlan(session, false)).toEqual([202, 'committed']);
  await waitFor(async () => (await plan(fork)).body['active'] === true, { what: 'the fork to know' });
  await stack.api.prompt(fork, 'on');
  const events = await stack.api.turnEnded(fork, 2);
  expect(outline(events).filter((line) => line.startsWith('header'))).toEqual(['header planning', 'header planning']);
  await stack.api.turnEnded(session, 2);
  expect([(await plan(session)).body, (await plan(fork)).body]).toEqual([{ active: false }, { active: true }]);
  await expectSound(stack, fork);
});
