import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { expectLongConversation } from './support/expect-long-conversation.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const compact = async (session: string) => (await stack.api.call('POST', `/v1/sessions/${session}/compact`)).status;
/** The end of a turn is in the log a moment before the session rests. */
const compactOnceIdle = (session: string) =>
  waitFor(async () => (await compact(session)) === 202, { what: `${session} to be idle`, everyMs: 50 });

/** A session that may only run commands, so that its requests are small; the name says what its model holds. */
const create = (name: string, script: (request: RequestView) => ScriptAnswer) =>
  stack.api.create({ ...scripted(stack, name, script), tools: { allow: ['bash'] } });

const says = (characters: number, n = 0) => bash(`head -c ${characters} /dev/zero | tr '\\0' x; echo ${n}`);
const overflow = { fault: { kind: 'context-overflow' } } as const;
const asksForSummary = ({ purpose }: RequestView) => purpose === 'compaction';
const compactions = (events: readonly SessionEvent[]) =>
  logLines(events.filter(({ type, surfaceOp }) => type.startsWith('compact/') || typeof surfaceOp === 'object'));
const lastError = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'compact/end' ? [event.data.error ?? 'none'] : [])).at(-1);
const SUMMED_UP = ['compact/start', 'compact/summary', 'user/message', 'compact/end'];

test.concurrent('the first request does not fit: what can be summed up is too little, and the failure stays', async () => {
  const session = await create('overflow-first', (request) =>
    asksForSummary(request) ? { text: `## Current Work\n${'much ado '.repeat(40)}` } : overflow,
  );
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(compactions(events)).toEqual(['compact/start', 'compact/end']);
  expect(lastError(events)).toBe('NOT_SMALLER: summary is not smaller than the shadowed content');
  const end = events.at(-1);
  expect(end?.type === 'turn/end' && end.data.reason).toMatchObject({
    kind: 'error',
    step: 1,
    failure: { code: 'CONTEXT_WINDOW_EXCEEDED' },
  });
  await expectSound(stack, session);
});

test.concurrent('a request in the middle does not fit: results are cut, all is summed up, and it is tried again', async () => {
  let refused = 0;
  const session = await create('overflow-middle', (request) => {
    if (asksForSummary(request)) return { text: '## Current Work\n- going on' };
    if (request.steps.length === 0 && refused === 0) return { toolCalls: [says(20_000)] };
    return refused++ === 0 ? overflow : { text: `saw ${request.messages.length}` };
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).slice(6)).toEqual([
    'tool/result call_1_1 ok',
    'step/end',
    'step/start',
    'step/end',
    'compact/prune',
    'tool/result call_1_1 ok',
    ...SUMMED_UP,
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  const [asked, again] = stack.model.requests
    .flatMap((seen) => ('request' in seen && seen.request.model === 'overflow-middle' ? [seen.request] : []))
    .slice(-2);
  // The summary is asked for with what the provider knows already: same system prompt, tools and beginning.
  expect(asked?.body.tools).toEqual(again?.body.tools);
  expect(asked?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
  expect(asked?.messages[0]).toEqual(again?.messages[0]);
  expect(again?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(again?.lastUser).toMatch(/<compacted-summary>\n## Current Work\n- going on\n<\/compacted-summary>$/);
  await expectSound(stack, session);
});

test.concurrent('results were cut and nobody could sum up the rest: what is shorter now is tried again all the same', async () => {
  let refused = 0;
  const session = await create('overflow-no-summary', (request) => {
    if (asksForSummary(request)) return { fault: { kind: 'status', status: 400 } };
    if (request.steps.length === 0) return { toolCalls: [says(20_000)] };
    return refused++ === 0 ? overflow : { text: `${request.results[0]?.content.length} characters` };
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(compactions(events)).toEqual(['compact/prune', 'tool/result call_1_1 ok', 'compact/start', 'compact/end']);
  expect(lastError(events)).toMatch(/^INVALID_REQUEST: /);
  expect(logLines(events).slice(-4)).toEqual(['step/start', 'assistant/message', 'step/end', 'turn/end completed']);
  await expectSound(stack, session);
});

test.concurrent('a request does not fit twice in a row: the second time is the last', async () => {
  const session = await create('overflow-twice', (request) => {
    if (asksForSummary(request)) return { text: '- short' };
    return request.messages.length === 2 && request.lastUser === 'go' ? { toolCalls: [says(3_000)] } : overflow;
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(compactions(events)).toEqual(SUMMED_UP);
  expect(logLines(events).slice(-3)).toEqual(['step/start', 'step/end', 'turn/end error']);
  await expectSound(stack, session);
});

test.concurrent('on request, between turns: history is a summary from then on; cancelled, it stays as it was', async () => {
  let summaries = 0;
  const session = await create('on-request', (request) => {
    if (!asksForSummary(request))
      return { text: `${request.messages.length} messages`, ...(request.lastUser === 'hold' && { hold: 'busy' }) };
    summaries += 1;
    return summaries === 1 ? { text: 'never', hold: 'summary' } : { text: '- long ago' };
  });
  await stack.api.prompt(session, `once ${'upon a time '.repeat(100)}`);
  await stack.api.turnEnded(session);
  await compactOnceIdle(session);
  await stack.model.held('summary');
  expect(await compact(session)).toBe(409);
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
  const cancelled = await stack.api.turnEnded(session, 2);
  expect(logLines(cancelled).slice(-4)).toEqual(['turn/start', 'compact/start', 'compact/end', 'turn/end aborted']);
  expect(lastError(cancelled)).toBe('cancelled');
  await compactOnceIdle(session);
  const events = await stack.api.turnEnded(session, 3);
  expect(logLines(events).slice(-6)).toEqual(['turn/start', ...SUMMED_UP, 'turn/end completed']);
  await stack.api.prompt(session, 'hold');
  await stack.model.held('busy');
  expect((await stack.api.call('POST', `/v1/sessions/${session}/compact`)).body['code']).toBe('SESSION_BUSY');
  stack.model.release('busy');
  const after = (await stack.api.turnEnded(session, 4)).findLast(({ type }) => type === 'assistant/message');
  expect(after?.type === 'assistant/message' && after.data.content).toEqual([{ type: 'text', text: '3 messages' }]);
  await expectSound(stack, session);
});

test.concurrent.each([
  ['overflow', 'cancelled-overflow', ({ steps }: RequestView) => steps.length > 0],
  ['pressure', 'cancelled-pressure@20000', () => false],
])(
  'cancelled while it is summed up after %s: the turn ends, nothing is replaced, and the next goes on',
  async (_why, name, tooLong) => {
    let summaries = 0;
    const session = await create(name, (request) => {
      if (asksForSummary(request)) return { text: '- what was', ...(summaries++ === 0 && { hold: name }) };
      if (request.lastUser === 'on') return { text: `${request.messages.length} messages` };
      return tooLong(request) ? overflow : { toolCalls: [says(8_000, request.steps.length)] };
    });
    await stack.api.prompt(session, 'go');
    await stack.model.held(name);
    expect((await stack.api.call('POST', `/v1/sessions/${session}/cancel`)).status).toBe(202);
    const events = await stack.api.turnEnded(session);
    expect(logLines(events).at(-1)).toBe('turn/end aborted');
    expect([lastError(events), compactions(events)]).toEqual(['cancelled', ['compact/start', 'compact/end']]);
    const surface = events.filter(({ surfaceOp }) => surfaceOp === 'append').length;
    await stack.api.prompt(session, 'on');
    const after = (await stack.api.turnEnded(session, 2)).findLast(({ type }) => type === 'assistant/message');
    // System prompt, everything there was, and the new message.
    expect(after?.type === 'assistant/message' && after.data.content).toEqual([
      { type: 'text', text: `${surface + 2} messages` },
    ]);
    await expectSound(stack, session);
  },
);

test.concurrent.each<[string, string, string, (request: RequestView) => ScriptAnswer, number, RegExp]>([
  [
    'system prompt and tools',
    'too-big-header@500',
    'go',
    ({ steps }) => (steps.length < 4 ? { toolCalls: [says(400, steps.length)] } : overflow),
    1,
    /; the system prompt and the tools alone take about \d+ tokens, and the model holds 500; choose a model that holds more$/,
  ],
  [
    'a history nobody can sum up',
    'no-summary@8000',
    'go',
    ({ steps }) => (steps.length < 7 ? { toolCalls: [says(8_000, steps.length)] } : overflow),
    3,
    /; the system prompt and the tools take about \d+ tokens and the history about \d+, and the model holds 8000; /,
  ],
  [
    'one message',
    'too-big-message@20000',
    'long '.repeat(40_000),
    () => overflow,
    1,
    /; event \d+ alone takes about 5\d{4} tokens, /,
  ],
])(
  'what cannot become shorter costs a few summaries, then an error that names it: %s',
  async (_what, name, say, script, most, told) => {
    let summaries = 0;
    const session = await create(name, (request) => {
      if (!asksForSummary(request)) return script(request);
      summaries += 1;
      return { text: '' };
    });
    await stack.api.prompt(session, say);
    const end = (await stack.api.turnEnded(session)).at(-1);
    expect(end?.type === 'turn/end' && end.data.reason).toMatchObject({
      kind: 'error',
      failure: { code: 'CONTEXT_WINDOW_EXCEEDED', message: expect.stringMatching(told) },
    });
    expect(summaries).toBe(most);
    const larger = scripted(stack, `${name.split('@')[0]}-larger`, () => ({ text: 'fits' }));
    const chosen = { provider: larger.provider, model: larger.model };
    expect((await stack.api.call('PUT', `/v1/sessions/${session}/model`, chosen)).status).toBeLessThan(300);
    await stack.api.prompt(session, 'again');
    expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
    await expectSound(stack, session);
  },
);

test.concurrent('a long conversation keeps within its window, and each request goes on from the one before', async () => {
  const events = await expectLongConversation(stack, { steps: 30, size: 10_000, window: 20_000 });
  expect(logLines(events).at(-1)).toBe('turn/end completed');
});

test('the worker dies over a summary, and between the summary and what it replaces', async () => {
  let asked = 0;
  const session = await create('killed-summary', (request) => {
    if (!asksForSummary(request)) return { text: 'ok' };
    asked += 1;
    return { text: '- what was', ...(asked === 1 && { hold: 'dying' }) };
  });
  await stack.api.prompt(session, `once ${'upon a time '.repeat(100)}`);
  await stack.api.turnEnded(session);
  await compactOnceIdle(session);
  await stack.model.held('dying');
  // From now on the log takes no replacement, as if every writer died just before it.
  const broken = `refuse_${session.replaceAll(/[^a-z0-9]/g, '_')}`;
  await sql
    .raw(`
    create function ${broken}() returns trigger language plpgsql as $$ begin
      raise exception 'the lights went out' using errcode = '57P01';
    end $$;
    create trigger ${broken} before insert on session_events for each row
      when (new.session_id = '${session}' and new.surface_op = 'replace') execute function ${broken}();
  `)
    .execute(stack.database);
  await stack.worker().kill9();
  await stack.startWorker();
  await waitFor(() => asked === 2, { what: 'the summary to be asked for again' });
  const claim = () =>
    sql<{ state: string }>`select state from claims where session_id = ${session} and key = 't2.s0.summary.0'`.execute(
      stack.database,
    );
  await waitFor(async () => (await claim()).rows[0]?.state === 'done', { what: 'the summary' });
  await stack.worker().kill9();
  expect(compactions(await stack.api.events(session))).toEqual(['compact/start']);
  await sql.raw(`drop trigger ${broken} on session_events; drop function ${broken}()`).execute(stack.database);
  await stack.startWorker();
  expect(compactions(await stack.api.turnEnded(session, 2))).toEqual(SUMMED_UP);
  expect(asked).toBe(2);
  await expectSound(stack, session);
});
