import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequestView } from '@everturn/core/providers';
import { waitFor, workspaceRoot } from '@everturn/core/testing';
import { expectSound } from '../../worker/test/support/expect-sound.ts';
import { logLines } from '../../worker/test/support/log-lines.ts';
import { bash, callsThenDone, scripted } from '../../worker/test/support/model-scripts.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  const plugins = ['asking', 'scoped'].map((name) => join(workspaceRoot, `apps/worker/test/support/${name}-plugin.ts`));
  stack = await startStack({ worker: { EVERTURN_PLUGINS: plugins.join(':') } });
});
afterAll(() => stack?.stop());

interface Listed {
  interactions: { id: string; state: string; kind: string; request: unknown; outcome?: unknown }[];
}

const path = (session: string, rest: string) => `/v1/sessions/${session}${rest}`;
const open = async (session: string) => {
  const { body } = await stack.api.call<Listed>('GET', path(session, '/interactions?state=open'));
  return body.interactions;
};

/** A session that waits for a person, and the id of what it asks. */
async function waiting(name: string, command: string): Promise<{ session: string; id: string }> {
  const session = await stack.api.create({ ...scripted(stack, name, callsThenDone(bash(command))), prompt: 'go' });
  const [asked] = await waitFor(async () => (await open(session)).length === 1 && open(session), {
    what: 'the question',
  });
  expect(asked).toMatchObject({ kind: 'approval', state: 'open' });
  return { session, id: asked?.id ?? '' };
}

const decide = (session: string, id: string, decision: string) =>
  stack.api.call('POST', path(session, `/approvals/${id}`), { decision });

test.concurrent('two allow and one denies in the same moment: one answer wins, the others are told', async () => {
  const { session, id } = await waiting('contested', 'echo please-ask >> asked.log; cat asked.log');
  const answers = await Promise.all(['allow', 'deny', 'allow'].map((decision) => decide(session, id, decision)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused.map(({ body }) => body['code'])).toEqual(['ALREADY_ANSWERED', 'ALREADY_ANSWERED']);
  const events = await stack.api.turnEnded(session);
  const allowed = answers.findIndex(({ status }) => status === 202) !== 1;
  const decided = events.find(({ type }) => type === 'approval/decided');
  expect(decided).toMatchObject({ data: { outcome: allowed ? 'allowed-once' : 'rejected' } });
  const result = events.find(({ type }) => type === 'tool/result');
  expect(result).toMatchObject({ data: { isError: !allowed } });
  expect(await open(session)).toEqual([]);
  const late = await decide(session, id, 'allow');
  expect([late.status, late.body['code']]).toEqual([409, 'ALREADY_ANSWERED']);
});

test.concurrent('an answer whose receipt was lost is sent again with its key and answered like the first time', async () => {
  const { session, id } = await waiting('lost-receipt', 'echo please-ask');
  const key = { 'idempotency-key': 'the-same' };
  const send = (decision: string) => stack.api.call('POST', path(session, `/approvals/${id}`), { decision }, key);
  const first = await send('allow');
  await stack.api.turnEnded(session);
  // As if the API had died between delivering the answer and noting so.
  await stack.database.deleteFrom('requests').where('request_id', '=', String(first.body['requestId'])).execute();
  expect(await send('allow')).toMatchObject({ status: 202, body: first.body });
  expect(await send('deny')).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

/** What a request came to: `accepted`, or the code of its refusal. */
async function outcomeOf(session: string, requestId: unknown): Promise<unknown> {
  const { body } = await stack.api.call('GET', path(session, `/requests/${String(requestId)}`));
  return body['outcome'] === 'refused' ? body['code'] : body['outcome'];
}

const color = { id: 'color', question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] };
const why = { id: 'why', question: 'Why?' };

test.concurrent('a question cancelled with its turn is over: the tool says so, and an answer comes too late', async () => {
  const asking = { name: 'ask_user_question', arguments: { questions: [why] } };
  const session = await stack.api.create({ ...scripted(stack, 'unasked', callsThenDone(asking)), prompt: 'go' });
  const [asked] = await waitFor(async () => (await open(session)).length === 1 && open(session), {
    what: 'a question',
  });
  expect((await stack.api.call('POST', path(session, '/cancel'), {})).status).toBe(202);
  const events = await stack.api.turnEnded(session);
  expect(events.find(({ type }) => type === 'tool/result')).toMatchObject({
    data: { isError: true, error: { name: 'AskError', code: 'ASK_ABORTED' } },
  });
  const late = await stack.api.call('POST', path(session, `/questions/${asked?.id}/answer`), { dismiss: true });
  expect([late.status, late.body['code']]).toEqual([409, 'ALREADY_ANSWERED']);
});

test.concurrent('a command that a plugin adds is listed, run by a worker with its words as they are, and its throw is an error', async () => {
  const session = await stack.api.create(scripted(stack, 'greeted', () => ({ text: 'done' })));
  const { body } = await stack.api.call<{ commands: unknown[] }>('GET', path(session, '/commands'));
  expect(body.commands).toContainEqual({ name: 'greet', description: 'Greets somebody', input: '<name>' });
  const run = (command: string) => stack.api.call('POST', path(session, '/commands'), { command });
  expect(await run('/greet  you')).toMatchObject({ status: 200, body: { kind: 'success', text: 'hello  you' } });
  expect(await run('/greet')).toMatchObject({ status: 200, body: { kind: 'error', text: 'greet whom?' } });
  const events = await stack.api.events(session);
  const ends = events.flatMap(({ type, data }) =>
    type === 'command/run' || type === 'command/done' ? [[type, data]] : [],
  );
  expect(ends).toMatchObject([
    ['command/run', { name: 'greet', args: '  you', source: { kind: 'user' } }],
    ['command/done', { kind: 'success', text: 'hello  you' }],
    ['command/run', { name: 'greet' }],
    ['command/done', { kind: 'error', text: 'greet whom?' }],
  ]);
});

test.concurrent('policy changed while a call waits: that one is still decided by its answer, the next is rejected unasked', async () => {
  const ask = (n: number) => ({ toolCalls: [bash(`echo please-ask ${n}`)] });
  const script = (request: RequestView) =>
    [ask(1), ask(2)][request.messages.filter(({ role }) => role === 'assistant').length] ?? { text: 'done' };
  const session = await stack.api.create({ ...scripted(stack, 'overtaken', script), prompt: 'go' });
  const [asked] = await waitFor(async () => (await open(session)).length === 1 && open(session), {
    what: 'a question',
  });
  const id = asked?.id ?? '';
  // Where it waits, operators read what is asked and how to answer.
  const step = stack.client.workflow.getHandle(`session:${session}/turn:1/step:1`);
  const { currentDetails } = await step.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(currentDetails).toContain('**Waiting for approval** of `bash: echo please-ask 1`: `it says please-ask`');
  expect(currentDetails).toContain(`\`POST /v1/sessions/${session}/approvals/${id}\``);
  const change = await stack.api.call('PUT', path(session, '/permissions'), { approvalPolicy: 'never' });
  expect(change.status).toBe(202);
  await stack.api.until(session, 'the change', (events) =>
    events.some(({ type, data }) => type === 'approval/policy' && JSON.stringify(data).includes('never')),
  );
  expect(await open(session)).toHaveLength(1);
  const other = await stack.api.create(scripted(stack, 'bystander', () => ({ text: 'done' })));
  expect((await decide(other, id, 'allow')).status).toBe(404);
  expect((await decide(session, id, 'allow')).status).toBe(202);
  const events = await stack.api.turnEnded(session);
  const outcomes = events.flatMap(({ type, data }) => (type === 'approval/decided' ? [data] : []));
  expect(outcomes).toMatchObject([{ outcome: 'allowed-once' }, { outcome: 'rejected' }]);
  const results = events.flatMap((event) => (event.type === 'tool/result' ? [JSON.stringify(event.data)] : []));
  expect(results[0]).toContain('please-ask 1');
  expect(results[1]).toContain('the user rejected tool \\"bash\\"');
});

test.concurrent('a command of one session is listed and run there alone, in place of one that all have', async () => {
  const id = `greeting-${stack.tenant}`;
  const options = scripted(stack, 'greeted-there', () => ({ text: 'done' }));
  const [there, elsewhere] = [await stack.api.create({ ...options, id }), await stack.api.create(options)];
  const run = async (session: string, command: string) =>
    (await stack.api.call('POST', path(session, '/commands'), { command })).body['text'];
  expect([await run(there, '/greet you'), await run(elsewhere, '/greet you')]).toEqual(['here', 'hello you']);
  expect([await run(there, '/whoami'), await run(elsewhere, '/whoami')]).toEqual([there, elsewhere]);
  const greets = async (session: string) =>
    (await stack.api.call<{ commands: { name: string }[] }>('GET', path(session, '/commands'))).body.commands.filter(
      ({ name }) => name === 'greet',
    );
  expect(await greets(there)).toEqual([{ name: 'greet', description: 'Greets here' }]);
  expect(await greets(elsewhere)).toEqual([{ name: 'greet', description: 'Greets somebody', input: '<name>' }]);
});

test.concurrent('agents that work for others ask nobody: a fork of one who may be asked, and an agent of that agent', async () => {
  const delegate = (name: string, prompt: string) => ({
    toolCalls: [{ name, arguments: { description: 'Delegate', prompt } }],
  });
  const options = scripted(stack, 'delegating', ({ messages, lastUser }) => {
    if (messages.at(-1)?.role === 'tool') return { text: 'done' };
    if (lastUser.startsWith('middle')) return delegate('subagent', 'leaf');
    if (lastUser.startsWith('leaf')) return { toolCalls: [bash('echo please-ask')] };
    return lastUser.startsWith('lead') ? delegate('subagent_fork', 'middle') : { text: 'ready' };
  });
  const session = await stack.api.create({ ...options, prompt: 'hello' });
  await stack.api.turnEnded(session);
  await stack.api.prompt(session, 'lead');
  await stack.api.turnEnded(session, 2);
  const { body } = await stack.api.call<{ nodes: { id: string; depth: number }[] }>('GET', path(session, '/tree'));
  const [middle = '', leaf = ''] = [1, 2].map((depth) => body.nodes.find((node) => node.depth === depth)?.id);
  const policies = async (id: string) =>
    (await stack.api.events(id)).flatMap((event) => (event.type === 'approval/policy' ? [event.data] : []));
  const never = { policy: 'never', source: 'delegation' };
  expect([(await policies(middle)).at(-1), (await policies(leaf)).at(-1)]).toEqual([never, never]);
  expect((await policies(session)).at(-1)).toMatchObject({ policy: 'ask' });
  const events = await stack.api.events(leaf);
  expect(events.flatMap((event) => (event.type === 'approval/decided' ? [event.data.outcome] : []))).toEqual([
    'rejected',
  ]);
  expect(JSON.stringify(events.find(({ type }) => type === 'tool/result')?.data)).toContain(
    'the user rejected tool \\"bash\\"',
  );
  for (const id of [middle, leaf]) expect(await open(id)).toEqual([]);
});

test.concurrent.each([
  ['turn', '/turn:1'],
  ['session', ''],
])('a %s terminated while a program of it asks: nobody is asked any more, and nothing was run', async (what, id) => {
  const name = `terminated-${what}`;
  const mark = join(stack.workspace, name);
  const code = `return await tools.bash({ command: 'touch ${mark} please-' + 'ask', description: 'Try' })`;
  const script = callsThenDone({ name: 'run_code', arguments: { code, description: 'Try a program' } });
  const session = await stack.api.create({ ...scripted(stack, name, script), toolsMode: 'ptc', prompt: 'go' });
  await waitFor(async () => (await open(session)).length === 1, { what: 'it to be listed', timeoutMs: 30_000 });
  await stack.client.workflow.getHandle(`session:${session}${id}`).terminate('test');
  await stack.api.prompt(session, 'go on');
  const events = await stack.api.turnEnded(session, 2);
  expect(await open(session)).toEqual([]);
  expect(logLines(events).filter((line) => line.startsWith('approval'))).toEqual([
    'approval/asked',
    'approval/decided cancelled',
  ]);
  // Its call is settled before it is, by whoever came first.
  const settled = events.flatMap(({ type, data }) => (type === 'tool/ptc-dispatch' ? [data] : []));
  expect(settled).toMatchObject([{ subCallId: 'call_1_1:ptc:1', isError: true, error: { code: expect.any(String) } }]);
  expect([(await decide(session, 't1.s1.c0.1', 'allow')).status, existsSync(mark)]).toEqual([409, false]);
  await expectSound(stack, session);
});

test('an answer given while no worker lives is applied when one is back', { timeout: 180_000 }, async () => {
  const { session, id } = await waiting('patient', 'echo please-ask');
  await stack.worker().kill9();
  const answer = await decide(session, id, 'allow');
  expect([answer.status, answer.body]).toEqual([202, { requestId: answer.body['requestId'], accepted: 'queued' }]);
  const pending = await stack.api.call('GET', path(session, `/requests/${String(answer.body['requestId'])}`));
  expect(pending.body).toMatchObject({ kind: 'answer', outcome: 'pending' });
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(events.find(({ type }) => type === 'approval/decided')).toMatchObject({ data: { outcome: 'allowed-once' } });
  expect(await outcomeOf(session, answer.body['requestId'])).toBe('accepted');
});

test('a question waits through a kill, refuses what does not fit, takes one answer and goes on', async () => {
  const asking = { name: 'ask_user_question', arguments: { questions: [color, why] } };
  const another = { name: 'ask_user_question', arguments: { questions: [{ id: 'when', question: 'When?' }] } };
  const script = callsThenDone(bash('echo x >> once.log; cat once.log'), asking, another);
  const session = await stack.api.create({ ...scripted(stack, 'questioned', script), prompt: 'go' });
  const [asked] = await waitFor(async () => (await open(session)).length === 1 && open(session), {
    what: 'a question',
  });
  expect(asked).toMatchObject({ kind: 'question', state: 'open', request: { questions: [color, why] } });
  const state = await stack.api.call('GET', path(session, ''));
  expect(state.body).toMatchObject({ status: 'waiting' });

  const answer = (body: unknown, id = asked?.id ?? '') =>
    stack.api.call('POST', path(session, `/questions/${id}/answer`), body);
  const because = { id: 'why', selected: [], custom: 'because' };
  const partly = await answer({ answers: [{ id: 'color', selected: ['red'] }] });
  expect([partly.status, partly.body]).toMatchObject([
    400,
    { code: 'ANSWER_REFUSED', message: expect.stringContaining('"why"') },
  ]);
  const nonsense = await answer({ answers: 'red' });
  expect([nonsense.status, nonsense.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  const unknown = await answer({ dismiss: true }, 't9.s9.c9.questions');
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'INTERACTION_NOT_FOUND']);
  // Of two on the same tool the second is not asked before the first is answered.
  const next = asked?.id.replace('.c1.', '.c2.');
  const now = { answers: [{ id: 'when', selected: [], custom: 'now' }] };
  expect((await answer(now, next)).status).toBe(404);
  expect((await decide(session, asked?.id ?? '', 'allow')).status).toBe(404);
  expect(await open(session)).toHaveLength(1);

  await stack.worker().kill9();
  await stack.startWorker();
  const answers = [because, { id: 'color', selected: ['blue'] }];
  // The worker may not be there yet, and answers are then queued: who lost is told by the request.
  const sent = await Promise.all([answer({ answers }), answer({ dismiss: true })]);
  await waitFor(async () => (await open(session))[0]?.id === next, { what: 'the other question', timeoutMs: 60_000 });
  expect((await answer(now, next)).status).toBe(202);
  const events = await stack.api.turnEnded(session);
  const results = events.filter(({ type }) => type === 'tool/result').map(({ data }) => JSON.stringify(data));
  expect(results[0]).toContain('"text":"x\\n"');
  expect(results.map((result) => /"callId":"(\w+)"/.exec(result)?.[1])).toEqual(['call_1_1', 'call_1_2', 'call_1_3']);
  expect(results[2]).toContain('now');
  const answered = results[1]?.includes(JSON.stringify(JSON.stringify({ answers })).slice(1, -1)) ?? false;
  expect(results[1]?.includes('dismissed')).toBe(!answered);
  const fates = sent.map(({ status, body }) => (status === 202 ? outcomeOf(session, body['requestId']) : body['code']));
  const [winner, loser] = answered ? await Promise.all(fates) : (await Promise.all(fates)).toReversed();
  expect([winner, loser]).toEqual(['accepted', 'ALREADY_ANSWERED']);
});
