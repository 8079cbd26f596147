import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { bash, callsThenDone, scripted } from '../../worker/test/support/model-scripts.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const path = (session: string, rest = '') => `/v1/sessions/${session}${rest}`;
const types = (events: SessionEvent[]) =>
  events.map(({ type }) => type).filter((type) => type !== 'assistant/chunk' && type !== 'session/title');

/** Waits until a session's row says so. */
const status = (session: string, wanted: string) =>
  waitFor(async () => (await stack.api.call('GET', path(session))).body['status'] === wanted, {
    what: `${session} to be ${wanted}`,
  });

test('a prompt runs, and its caller may wait for the end', async () => {
  const options = scripted(stack, 'plain', callsThenDone(bash('echo hi > hi.txt; cat hi.txt')));
  const session = await stack.api.create({ ...options, metadata: { team: 'a' } });
  const { status: answered, body } = await stack.api.call('POST', path(session, '/prompts?wait=30'), {
    content: 'say hi',
  });
  const promptId = body['promptId'];
  expect([answered, body]).toEqual([
    200,
    {
      promptId,
      requestId: promptId,
      accepted: 'delivered',
      position: 0,
      turn: 1,
      state: 'ended',
      end: { kind: 'completed' },
    },
  ]);
  await status(session, 'idle');
  const state = await stack.api.call('GET', path(session));
  expect(state.body).toMatchObject({
    id: session,
    status: 'idle',
    workspace: stack.workspace,
    provider: 'scripted',
    model: 'plain',
    metadata: { team: 'a' },
    queueLength: 0,
    queue: [],
    interactions: [],
    usage: { steps: 2, turns: 1 },
  });
  const outcome = await stack.api.call('GET', path(session, `/requests/${String(promptId)}`));
  expect(outcome.body).toMatchObject({ requestId: promptId, kind: 'send', outcome: 'accepted', prompt: { turn: 1 } });

  const { body: derived } = await stack.api.call<{ messages: { role: string; content: object[] }[] }>(
    'GET',
    path(session, '/messages'),
  );
  expect(
    derived.messages.map(({ role, content }) => [role, content.map((block) => (block as { type: string }).type)]),
  ).toEqual([
    ['user', ['text']],
    ['assistant', ['tool-call']],
    ['user', ['tool-result']],
    ['assistant', ['text']],
  ]);
  const { body: effects } = await stack.api.call<{ effects: { key: string; state: string; label: string }[] }>(
    'GET',
    path(session, '/effects?state=done'),
  );
  expect(effects.effects.map(({ key, state: settled }) => [key, settled])).toEqual([
    ['t1.s1.model', 'done'],
    ['t1.s1.c0', 'done'],
    ['t1.s2.model', 'done'],
  ]);
});

test('the transcript shows calls as their tools present them', async () => {
  const options = scripted(stack, 'viewed', callsThenDone(bash('echo seen')));
  const session = await stack.api.create({ ...options, prompt: 'look' });
  await stack.api.turnEnded(session);
  type Entry = { event: { type: string; data: { callId?: string } }; views?: Record<string, object> };
  const { body } = await stack.api.call<{ entries: Entry[]; next: number | null }>('GET', path(session, '/transcript'));
  const result = body.entries.find(({ event }) => event.type === 'tool/result');
  const views = Object.values(result?.views ?? {});
  expect([body.entries.map(({ event }) => event.type), body.next]).toEqual([
    ['user/message', 'assistant/message', 'tool/result', 'assistant/message'],
    null,
  ]);
  expect(views).toEqual([expect.objectContaining({ card: 'terminal', command: 'echo seen', exit: { code: 0 } })]);
  expect(Object.keys(result?.views ?? {})).toEqual([result?.event.data.callId]);

  // Page by page, a result still finds its call.
  const pages: Entry[] = [];
  for (let after: number | null = -1; after !== null;) {
    const page: { body: { entries: Entry[]; next: number | null } } = await stack.api.call(
      'GET',
      path(session, `/transcript?limit=1&after=${String(after)}`),
    );
    pages.push(...page.body.entries);
    after = page.body.next;
  }
  expect(pages).toEqual(body.entries);
});

describe('while a turn runs', () => {
  /** A session whose turn is held in the middle of the model's answer. */
  async function held(name: string): Promise<string> {
    const options = scripted(stack, name, (request) =>
      JSON.stringify(request).includes('hold') && request.steps.length === 0
        ? { text: ['a ', 'b'], hold: { gate: name, afterDeltas: 1 } }
        : { text: 'fine' },
    );
    const session = await stack.api.create(options);
    await stack.api.prompt(session, 'hold');
    await stack.model.held(name);
    return session;
  }

  test('what waits can be changed and dropped, in the order it came', async () => {
    const session = await held('queue');
    const [first, second, third] = [
      await stack.api.prompt(session, 'first'),
      await stack.api.prompt(session, 'second'),
      await stack.api.prompt(session, 'third'),
    ];
    const edited = await stack.api.call('PATCH', path(session, `/queue/${second}`), { content: 'second, better' });
    const dropped = await stack.api.call('DELETE', path(session, `/queue/${first}`));
    expect([edited.status, edited.body['accepted'], dropped.status, dropped.body['accepted']]).toEqual([
      202,
      'delivered',
      202,
      'delivered',
    ]);
    const gone = await waitFor(
      async () => {
        const answer = await stack.api.call('DELETE', path(session, `/queue/${first}`));
        return answer.status === 409 && answer;
      },
      { what: 'the dropped prompt to be discarded' },
    );
    expect(gone.body).toMatchObject({ code: 'PROMPT_NOT_QUEUED' });
    stack.model.release('queue');
    const events = await stack.api.turnEnded(session, 3);
    const said = events.flatMap((event) => (event.type === 'user/message' ? event.data.content : []));
    expect(said).toEqual([
      { type: 'text', text: 'hold' },
      { type: 'text', text: 'second, better' },
      { type: 'text', text: 'third' },
    ]);
    const late = await stack.api.call('PATCH', path(session, `/queue/${third}`), { content: 'too late' });
    expect([late.status, late.body['code']]).toEqual([409, 'PROMPT_NOT_QUEUED']);
  });

  test('cancel ends the turn and drops what waits', async () => {
    const session = await held('cancel');
    const waiting = await stack.api.prompt(session, 'never');
    const { status: answered, body } = await stack.api.call('POST', path(session, '/cancel'));
    expect([answered, body['accepted']]).toEqual([202, 'delivered']);
    const events = await stack.api.turnEnded(session);
    expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'aborted' } } });
    await status(session, 'idle');
    const outcome = await stack.api.call('GET', path(session, `/requests/${waiting}`));
    expect(outcome.body).toMatchObject({ prompt: { state: 'discarded' } });
    stack.model.release('cancel');
  });

  test('interrupt ends the turn and keeps what waits until the next prompt', async () => {
    const session = await held('interrupt');
    await stack.api.prompt(session, 'later');
    await stack.api.call('POST', path(session, '/interrupt'));
    await stack.api.turnEnded(session);
    await status(session, 'idle');
    expect((await stack.api.call('GET', path(session))).body).toMatchObject({
      queueLength: 1,
      queue: [{ preview: 'later' }],
    });
    stack.model.release('interrupt');
    await stack.api.prompt(session, 'now');
    const events = await stack.api.turnEnded(session, 3);
    const said = events.flatMap((event) => (event.type === 'user/message' ? event.data.content : []));
    expect(said.map((block) => block.type === 'text' && block.text)).toEqual(['hold', 'later', 'now']);
  });

  test('a queue that is full refuses, keeps nothing, and takes the same request once there is room', async () => {
    const session = await held('full');
    const content = 'x'.repeat(1_900);
    const send = (key: string) =>
      stack.api.call('POST', path(session, '/prompts'), { content }, { 'idempotency-key': key });
    let refused = '';
    for (let round = 0; refused === ''; round += 1) {
      const keys = Array.from({ length: 8 }, (_, n) => `full-${round}-${n}`);
      const answers = await Promise.all(keys.map(send));
      const index = answers.findIndex((answer) => answer.status === 429);
      expect(answers.map((answer) => answer.status).filter((code) => code !== 202 && code !== 429)).toEqual([]);
      if (index !== -1) expect(answers[index]?.body).toMatchObject({ code: 'QUEUE_FULL' });
      refused = keys[index] ?? '';
    }
    expect((await send(refused)).status).toBe(429);
    await stack.api.call('POST', path(session, '/cancel'));
    stack.model.release('full');
    await stack.api.turnEnded(session);
    const taken = await send(refused);
    expect(taken.status).toBe(202);
    const events = await stack.api.turnEnded(session, 2);
    expect(events.filter(({ type }) => type === 'user/message')).toHaveLength(2);
    const outcome = await stack.api.call('GET', path(session, `/requests/${String(taken.body['promptId'])}`));
    expect(outcome.body).toMatchObject({ outcome: 'accepted', prompt: { turn: 2 } });
  });

  test('steering joins the turn it names, and is refused for another', async () => {
    const session = await held('steer');
    const other = await stack.api.call('POST', path(session, '/prompts'), {
      content: 'x',
      mode: 'steer',
      expectedTurn: 7,
    });
    expect([other.status, other.body['code']]).toEqual([409, 'TURN_MISMATCH']);
    const steered = await stack.api.call('POST', path(session, '/prompts'), {
      content: 'be brief',
      mode: 'steer',
      expectedTurn: 1,
    });
    expect([steered.status, steered.body]).toEqual([202, expect.objectContaining({ accepted: 'delivered', turn: 1 })]);
    stack.model.release('steer');
    const events = await stack.api.turnEnded(session);
    expect(types(events)).toContain('steering/message');
  });
});

test('a closed session is read, refused, resumed', async () => {
  const session = await stack.api.create(scripted(stack, 'closing', () => ({ text: 'yes' })));
  await stack.api.prompt(session, 'one');
  await stack.api.turnEnded(session);
  expect((await stack.api.call('DELETE', path(session))).status).toBe(202);
  await status(session, 'closed');
  expect((await stack.api.call('DELETE', path(session))).status).toBe(202);
  const refused = await stack.api.call('POST', path(session, '/prompts'), { content: 'two' });
  expect([refused.status, refused.body['code']]).toEqual([409, 'SESSION_CLOSED']);
  const resumed = await stack.api.call('POST', path(session, '/resume'));
  expect([resumed.status, resumed.body['status']]).toEqual([200, 'idle']);
  await stack.api.prompt(session, 'two');
  const events = await stack.api.turnEnded(session, 2);
  expect(events.filter(({ type }) => type === 'user/message')).toHaveLength(2);
});

test('context is added without a model run', async () => {
  const session = await stack.api.create(scripted(stack, 'injected', () => ({ text: 'yes' })));
  const { status: answered } = await stack.api.call('POST', path(session, '/inject'), {
    content: 'it rains',
    meta: { a: 1 },
  });
  expect(answered).toBe(202);
  const events = await stack.api.turnEnded(session);
  const pinned = ['permission/preset', 'sandbox/mode', 'approval/policy'];
  expect(types(events)).toEqual(['turn/start', ...pinned, 'context/message', 'turn/end']);
  expect(events[4]).toMatchObject({ data: { content: [{ type: 'text', text: 'it rains' }], meta: { a: 1 } } });
});

test('what runs here', async () => {
  const { body } = await stack.api.call<{
    providers: { id: string }[];
    workers: { roots: string[]; tools: string[] }[];
  }>('GET', '/v1/host');
  expect(body.providers.map(({ id }) => id)).toContain('scripted');
  expect(body.workers).toEqual([expect.objectContaining({ tools: expect.arrayContaining(['bash', 'read']) })]);
  const unknown = await stack.api.call('POST', '/v1/sessions', { provider: 'nobody' });
  expect([unknown.status, unknown.body['code']]).toEqual([400, 'UNKNOWN_PROVIDER']);
});

test('the providers of live workers are listed, and one is asked which models it serves', async () => {
  const listed = await stack.api.call('GET', '/v1/llm/providers');
  expect(listed.body['providers']).toEqual([
    expect.objectContaining({
      id: 'scripted',
      protocol: 'openai-chat',
      unlisted: 'passed-through',
      reasoningEfforts: ['off', 'low', 'medium', 'high', 'max'],
      models: expect.arrayContaining([expect.objectContaining({ id: 'scripted-demo', contextWindow: 128_000 })]),
    }),
  ]);
  const served = await stack.api.call('GET', '/v1/llm/providers/scripted/models');
  expect([served.status, served.body['models']]).toEqual([200, expect.arrayContaining([expect.any(Object)])]);
  const unknown = await stack.api.call('GET', '/v1/llm/providers/nobody/models');
  expect([unknown.status, unknown.body['code']]).toEqual([400, 'UNKNOWN_PROVIDER']);
});
