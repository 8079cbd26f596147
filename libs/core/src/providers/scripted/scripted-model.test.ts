import { describe, expect, it } from 'vitest';
import { isLlmError } from '../../domain/index.ts';
import type { CallId, LlmFailure, Message } from '../../domain/index.ts';
import type { ScriptRules } from './script.ts';
import { startScriptedModel } from './start-scripted-model.ts';
import { answerOf, askScript, scriptedRegistry, user } from './testing/scripted-client.ts';

async function thrown(run: () => Promise<unknown>): Promise<LlmFailure> {
  try {
    await run();
  } catch (error) {
    if (isLlmError(error)) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}

const call = (id: string, name = 'read', args = '{"file_path":"a"}'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id: id as CallId, name, arguments: args }],
});
const result = (id: string, content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool-result', toolCallId: id as CallId, content: [{ type: 'text', text: content }] }],
});

describe('scripts', () => {
  it('answer by name, streamed in several deltas, with usage', async () => {
    await using model = await startScriptedModel();
    const { chunks, text } = await answerOf(
      scriptedRegistry(model.url).stream(askScript('scripted-echo', [user('one two three four five')])),
    );
    expect(text).toBe('one two three four five');
    expect(chunks.map((chunk) => chunk.type)).toEqual([
      'block-start',
      'text-delta',
      'text-delta',
      'block-end',
      'usage',
      'finish',
    ]);
  });

  it('react to the step, to results and to what the user says', async () => {
    const rules: ScriptRules = [
      { when: { toolResultOf: 'read', matches: '^good' }, answer: { text: 'it is good' } },
      { when: { toolResultOf: 'read' }, answer: { text: 'it is not good' } },
      {
        when: { step: 1, lastUserMatches: '^look' },
        answer: { toolCalls: [{ name: 'read', arguments: { file_path: 'a' } }] },
      },
    ];
    await using model = await startScriptedModel({ scripts: { rules } });
    const registry = scriptedRegistry(model.url);
    const after = async (...messages: Message[]) =>
      (await answerOf(registry.stream(askScript('rules', messages)))).content;
    expect(await after(user('look'))).toEqual([
      { type: 'tool-call', id: 'call_1_1', name: 'read', arguments: '{"file_path":"a"}' },
    ]);
    expect(await after(user('look'), call('c'), result('c', 'good'))).toEqual([{ type: 'text', text: 'it is good' }]);
    expect(await after(user('look'), call('c'), result('c', 'bad'))).toEqual([
      { type: 'text', text: 'it is not good' },
    ]);
    expect(await thrown(() => after(user('hello')))).toMatchObject({ code: 'INVALID_REQUEST', status: 400 });
  });

  it('may be functions, set while the server runs, and every request is kept', async () => {
    await using model = await startScriptedModel();
    model.script('mine', (request) => ({ reasoning: 'hm', text: `${request.sessionId} ${request.steps.length}` }));
    const { content } = await answerOf(scriptedRegistry(model.url).stream(askScript('mine', [user('x')])));
    expect(content).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 's1 0' },
    ]);
    expect(model.requests).toMatchObject([
      { outcome: 'answered', request: { model: 'mine', lastUser: 'x', sessionId: 's1' } },
    ]);
  });

  it('are listed, and an unknown one is not found', async () => {
    await using model = await startScriptedModel({ scripts: { mine: () => ({}) } });
    const registry = scriptedRegistry(model.url);
    expect((await registry.discover('scripted')).map(({ id }) => id)).toEqual([
      'scripted-demo',
      'scripted-echo',
      'scripted-faults',
      'mine',
    ]);
    const failure = await thrown(() => answerOf(registry.stream(askScript('none', [user('x')]))));
    expect(failure).toMatchObject({ code: 'HTTP_404', status: 404 });
  });

  it('answer in one piece to those who do not stream', async () => {
    await using model = await startScriptedModel({
      scripts: { one: () => ({ text: 'hi', toolCalls: [{ name: 'f', arguments: '{"a' }] }) },
    });
    const body = JSON.stringify({ model: 'one', messages: [{ role: 'user', content: 'x' }] });
    const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: { role: 'assistant', content: 'hi', tool_calls: [{ function: { name: 'f', arguments: '{"a' } }] },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });
});

describe('faults', () => {
  it.each([
    ['429', { code: 'RATE_LIMIT', status: 429, providerRetryAfterMs: 1000, requestId: 'scripted-429' }],
    ['500', { code: 'SERVER', status: 500 }],
    ['cut', { code: 'TRANSPORT' }],
    ['stall', { code: 'TIMEOUT' }],
    ['keep-alive', { code: 'TIMEOUT' }],
    ['overflow', { code: 'CONTEXT_WINDOW_EXCEEDED', status: 400 }],
    ['quota', { code: 'QUOTA', message: 'quota gone (insufficient_quota)' }],
    ['html', { code: 'MALFORMED_RESPONSE' }],
    ['garbage', { code: 'MALFORMED_RESPONSE' }],
    ['no done', { code: 'STREAM_CLOSED' }],
  ])('%s', async (fault, expected) => {
    await using model = await startScriptedModel();
    const registry = scriptedRegistry(model.url, 150);
    const options = askScript('scripted-faults', [user(fault)]);
    expect(await thrown(() => answerOf(registry.stream(options)))).toMatchObject(expected);
  });

  it('pass when they are told to, for each conversation on its own', async () => {
    await using model = await startScriptedModel();
    const registry = scriptedRegistry(model.url);
    const options = askScript('scripted-faults', [user('500')]);
    const other = askScript('scripted-faults', [user('500')], { sessionId: 's2' as never });
    const codes: string[] = [];
    for (const next of [options, other, options])
      codes.push((await thrown(() => answerOf(registry.stream(next)))).code);
    expect(codes).toEqual(['SERVER', 'SERVER', 'SERVER']);
    expect((await answerOf(registry.stream(options))).text).toBe('Fine after two errors.');
  });

  it('of an answer that arrives arrive with it', async () => {
    await using model = await startScriptedModel();
    const registry = scriptedRegistry(model.url);
    const last = async (text: string) => answerOf(registry.stream(askScript('scripted-faults', [user(text)])));
    expect((await last('split')).text).toBe('One byte a packet: 北京🙂');
    expect((await last('no usage')).chunks.some((chunk) => chunk.type === 'usage')).toBe(false);
    expect((await last('no finish')).chunks.at(-1)).toMatchObject({
      reason: { failure: { code: 'MALFORMED_RESPONSE' } },
    });
    expect((await last('malformed')).content).toMatchObject([{ arguments: '{"file_path":"READ' }]);
    expect((await last('empty')).chunks.at(-1)).toMatchObject({ reason: { failure: { code: 'EMPTY_RESPONSE' } } });
  });
});

describe('gates', () => {
  it('hold an answer in its middle until they are released', async () => {
    await using model = await startScriptedModel({
      scripts: { held: () => ({ text: ['a', 'b'], hold: { gate: 'g', afterDeltas: 1 } }) },
    });
    let seen = '';
    const reading = (async () => {
      for await (const chunk of scriptedRegistry(model.url).stream(askScript('held', [user('x')]))) {
        if (chunk.type === 'text-delta') seen += chunk.text;
      }
    })();
    await model.held('g');
    expect(seen === '' || seen === 'a').toBe(true);
    model.release('g');
    await reading;
    expect(seen).toBe('ab');
  });

  it('hold nobody who has gone', async () => {
    await using model = await startScriptedModel({ scripts: { held: () => ({ text: 'a', hold: 'g' }) } });
    const controller = new AbortController();
    const options = askScript('held', [user('x')], { signal: controller.signal });
    const failed = thrown(() => answerOf(scriptedRegistry(model.url).stream(options)));
    await model.held('g');
    controller.abort();
    expect((await failed).code).toBe('ABORTED');
  });
});

describe('a request the strictest provider would refuse', () => {
  const base = { model: 'scripted-echo', messages: [{ role: 'user', content: 'x' }] as unknown[] };
  const calls = (...ids: string[]) => ({
    role: 'assistant',
    content: '',
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
  });
  const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' });
  const schema = (parameters: unknown) => [{ type: 'function', function: { name: 'f', parameters } }];
  it.each([
    [
      'a call without result',
      { messages: [...base.messages, calls('a', 'b'), tool('a'), ...base.messages] },
      'messages[3]: calls b lack',
    ],
    [
      'a call without result at the end',
      { messages: [...base.messages, calls('a')] },
      'the messages end while calls a lack',
    ],
    ['a result without call', { messages: [...base.messages, tool('a')] }, 'messages[1]: no open call a'],
    [
      'a result given twice',
      { messages: [...base.messages, calls('a'), tool('a'), tool('a')] },
      'messages[3]: no open call a',
    ],
    [
      'two calls with one id',
      { messages: [...base.messages, calls('a', 'a'), tool('a')] },
      'messages[1]: two calls share an id',
    ],
    ['text that is null', { messages: [{ role: 'assistant', content: null }] }, 'content'],
    ['half a character', { messages: [{ role: 'user', content: '\ud83d' }] }, 'lone surrogate'],
    ['a schema that is no object', { tools: schema({ type: 'string' }) }, 'parameters'],
    [
      'a schema with a lost reference',
      { tools: schema({ type: 'object', properties: { a: { $ref: '#/$defs/N' } } }) },
      'nothing is defined as N',
    ],
    ['no messages', { messages: [] }, 'messages'],
  ])('is refused: %s', async (_what, more, reason) => {
    await using model = await startScriptedModel();
    const response = await fetch(`${model.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ ...base, ...more }),
    });
    expect(response.status).toBe(400);
    expect(JSON.stringify(await response.json())).toContain(reason);
    expect(model.requests).toMatchObject([{ outcome: 'refused' }]);
  });

  it('is not one whose calls are all answered', async () => {
    await using model = await startScriptedModel();
    const messages = [...base.messages, calls('a', 'b'), tool('b'), tool('a'), ...base.messages];
    const body = JSON.stringify({ ...base, messages });
    expect((await fetch(`${model.url}/chat/completions`, { method: 'POST', body })).status).toBe(200);
  });
});

it('can be told from another process', async () => {
  await using model = await startScriptedModel();
  const post = (path: string, body: unknown) =>
    fetch(new URL(path, model.url), { method: 'POST', body: JSON.stringify(body) });
  const rules = [{ answer: { text: 'told', hold: 'g' } }];
  expect((await post('/control/script', { name: 'told', rules })).status).toBe(200);
  expect((await post('/control/script', { name: 'told', rules: [{ answer: { txt: 'x' } }] })).status).toBe(400);
  const answer = answerOf(scriptedRegistry(model.url).stream(askScript('told', [user('x')])));
  await post('/control/held', { gate: 'g' });
  await post('/control/release', { gate: 'g' });
  expect((await answer).text).toBe('told');
  const requests = await (await fetch(new URL('/control/requests', model.url))).json();
  expect(requests).toMatchObject([{ outcome: 'answered', answer: { text: 'told' } }]);
  expect((await post('/control/none', {})).status).toBe(404);
});
