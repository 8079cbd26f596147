import { describe, expect, it } from 'vitest';
import type {
  AttachmentId,
  CallId,
  ContentBlock,
  GenerateOptions,
  ImageBlock,
  Message,
  SessionId,
} from '../../domain/index.ts';
import { failureOf, request, result } from '../testing/history.ts';
import { choice, chunksOf, collect, configFor, frames, hello, rawProvider } from './testing/chat-provider.ts';
import { openAiChatAdapter } from './adapter.ts';
import { withDialect } from './dialect.ts';
import { toWire } from './to-wire.ts';

const openai = configFor('http://127.0.0.1:1/v1');
const deepseek = withDialect(configFor('https://api.deepseek.com', { dialect: 'deepseek', provider: 'deepseek' }));
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const call = (id: string, args: string): ContentBlock => ({
  type: 'tool-call',
  id: id as CallId,
  name: 'f',
  arguments: args,
});
const picture = (digit: string): ImageBlock => ({
  type: 'image',
  attachmentId: digit.repeat(64) as AttachmentId,
  mediaType: 'image/png',
  width: 8,
  height: 4,
  bytes: 2,
});
const wire = (...messages: Message[]) => toWire(openai, request(...messages)).messages;

describe('messages', () => {
  it('become what the protocol knows', () => {
    const messages: Message[] = [
      { role: 'system', content: [text('s1'), text('s2')] },
      { role: 'user', content: [text('a'), text('b')] },
      { role: 'assistant', content: [text('x'), call('1', '{"half'), call('2', ' ')] },
      { role: 'user', content: [result('1', text('r'), text('1'))] },
      { role: 'user', content: [result('2')] },
      { role: 'assistant', content: [call('3', '{}')] },
      { role: 'user', content: [result('3', text('r3')), text('and')] },
    ];
    expect(toWire(openai, { ...request(...messages), system: 'sys' }).messages).toEqual([
      { role: 'system', content: 'sys' },
      { role: 'system', content: 's1s2' },
      { role: 'user', content: 'ab' },
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [
          { id: '1', type: 'function', function: { name: 'f', arguments: '{"half' } },
          { id: '2', type: 'function', function: { name: 'f', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: '1', content: 'r1' },
      { role: 'tool', tool_call_id: '2', content: '(no output)' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: '3', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'user', content: 'and' },
      { role: 'tool', tool_call_id: '3', content: 'r3' },
    ]);
  });

  it('carry thinking back to those who want it, with text that is never null', () => {
    const reasoned = (provider: string): Message => ({
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'hm' }],
      provenance: { provider, model: 'm' },
    });
    const bare = { role: 'assistant', content: '' };
    const whole = { ...bare, reasoning_content: 'hm' };
    expect(toWire(deepseek, request(reasoned('other'))).messages).toEqual([whole]);
    expect(wire(reasoned('p'))).toEqual([whole]);
    expect(wire(reasoned('other'))).toEqual([bare]);
  });

  it('hold no half characters, and leave whole ones and escapes alone', () => {
    const odd = '\ud83d a\0 🙂 \\u0000 \ude42';
    const even = '\ufffd a\0 🙂 \\u0000 \ufffd';
    expect(
      wire(
        { role: 'user', content: [text(odd)] },
        { role: 'assistant', content: [text(odd), call('1', odd)] },
        { role: 'user', content: [result('1', text(odd))] },
      ),
    ).toEqual([
      { role: 'user', content: even },
      {
        role: 'assistant',
        content: even,
        tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: even } }],
      },
      { role: 'tool', tool_call_id: '1', content: even },
    ]);
  });

  it('with content the protocol cannot carry are refused', () => {
    const video = { type: 'video' } as unknown as ContentBlock;
    expect(failureOf(() => wire({ role: 'user', content: [video] }))).toBe('UNSUPPORTED_CONTENT');
    expect(failureOf(() => wire({ role: 'assistant', content: [video] }))).toBe('UNSUPPORTED_CONTENT');
    expect(failureOf(() => wire({ role: 'assistant', content: [picture('a')] }))).toBe('UNSUPPORTED_CONTENT');
    expect(failureOf(() => wire({ role: 'user', content: [result('1', video)] }))).toBe('UNSUPPORTED_CONTENT');
    expect(failureOf(() => wire({ role: 'user', content: [call('1', '{}')] }))).toBe('UNSUPPORTED_CONTENT');
  });
});

describe('pictures', () => {
  const seeing = configFor('http://127.0.0.1:1/v1', { input: ['text', 'image'] });
  const attachments = new Map([[picture('a').attachmentId, new Uint8Array([1, 2])]]);
  const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,AQI=' } };
  const placeholder = '[image: image/png, 8x4 px, not shown here]';
  const messages: Message[] = [
    { role: 'user', content: [text('look'), picture('a')] },
    { role: 'assistant', content: [call('1', '{}'), call('2', '{}')] },
    { role: 'user', content: [result('1', text('one'), picture('a'))] },
    { role: 'user', content: [result('2', picture('a'))] },
    { role: 'user', content: [text('and now')] },
    { role: 'assistant', content: [call('3', '{}')] },
    { role: 'user', content: [result('3', picture('b'))] },
  ];
  const callsOf = (...ids: string[]) =>
    ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } }));

  it('of results come behind all results of the answer, as nothing may stand between these', () => {
    expect(toWire(seeing, { ...request(...messages), attachments }).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'look' }, shown] },
      { role: 'assistant', content: '', tool_calls: callsOf('1', '2') },
      { role: 'tool', tool_call_id: '1', content: 'one' },
      { role: 'tool', tool_call_id: '2', content: '(the picture follows)' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image returned by the tool call 1:' },
          shown,
          { type: 'text', text: 'Image returned by the tool call 2:' },
          shown,
        ],
      },
      { role: 'user', content: 'and now' },
      { role: 'assistant', content: '', tool_calls: callsOf('3') },
      // Its bytes are gone, and the session must go on.
      { role: 'tool', tool_call_id: '3', content: placeholder },
    ]);
  });

  it('are told of, not sent, where the model takes text alone', () => {
    const { messages: wired } = toWire(openai, { ...request(...messages), attachments });
    expect(wired.map(({ content }) => content)).toEqual([
      `look${placeholder}`,
      '',
      `one${placeholder}`,
      placeholder,
      'and now',
      '',
      placeholder,
    ]);
  });

  it('are taken as the model says, else as its route does, else not at all', () => {
    const route = (input: object) => openAiChatAdapter(configFor('http://127.0.0.1:1/v1', input));
    const both: ('text' | 'image')[] = ['text', 'image'];
    expect(route({}).input?.('m')).toEqual(['text']);
    expect(route({ input: both }).input?.('not listed')).toEqual(both);
    expect(route({ input: both, models: [{ id: 'm', input: ['text'] }] }).input?.('m')).toEqual(['text']);
    expect(route({ models: [{ id: 'm', input: both }] }).models()).toEqual([
      { provider: 'p', id: 'm', name: 'm', input: both },
    ]);
  });
});

describe('options', () => {
  const all: GenerateOptions = {
    ...request(),
    temperature: 0,
    maxTokens: 9,
    stop: ['a'],
    tools: [{ name: 'b', description: 'B', parameters: { type: 'object' } }],
  };
  it('go out when they are set', () => {
    expect(toWire(openai, all)).toEqual({
      model: 'm',
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 9,
      stop: ['a'],
      tools: [{ type: 'function', function: { name: 'b', description: 'B', parameters: { type: 'object' } } }],
    });
    expect(toWire(openai, { ...request(), stop: [], tools: [] })).toEqual({
      model: 'm',
      messages: [],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('name the limit of tokens as the endpoint does', () => {
    const own = configFor('https://api.openai.com/v1');
    expect(toWire(own, all).max_completion_tokens).toBe(9);
    expect(toWire(deepseek, { ...request(), model: 'deepseek-v4-pro' }).max_tokens).toBe(256_000);
  });

  it.each([
    ['deepseek', deepseek, undefined, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['deepseek', deepseek, 'max', { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
    ['deepseek', deepseek, 'off', { thinking: { type: 'disabled' } }],
    ['openai', openai, undefined, {}],
    ['openai', openai, 'low', { reasoning_effort: 'low' }],
  ] as const)('ask %s to think: %#', (_dialect, config, effort, expected) => {
    const { thinking, reasoning_effort } = toWire(config, { ...request(), ...(effort && { reasoningEffort: effort }) });
    expect({ thinking, reasoning_effort }).toEqual({ thinking: undefined, reasoning_effort: undefined, ...expected });
  });

  it('never let a title be thought about, and refuse a level that is not there', () => {
    expect(toWire(deepseek, { ...request(), reasoningEffort: 'max', purpose: 'session-title' }).thinking).toEqual({
      type: 'disabled',
    });
    expect(failureOf(() => toWire(deepseek, { ...request(), reasoningEffort: 'medium' }))).toBe(
      'UNSUPPORTED_REASONING_EFFORT',
    );
    expect(failureOf(() => toWire(openai, { ...request(), reasoningEffort: 'off' }))).toBe(
      'UNSUPPORTED_REASONING_EFFORT',
    );
  });
});

it('sends who calls in headers, never in the prompt, and the key as bearer', async () => {
  await using provider = await rawProvider(frames(choice({ content: 'x' }, 'stop'), '[DONE]'));
  const config = configFor(provider.url, { dialect: 'deepseek', apiKey: { reveal: () => 'sk-1' } });
  await collect(chunksOf(config, { ...hello, sessionId: 's1' as SessionId, purpose: 'compaction' }));
  const [sent] = provider.requests;
  expect(sent?.path).toBe('/v1/chat/completions');
  expect(sent?.headers).toMatchObject({
    authorization: 'Bearer sk-1',
    'user-agent': 'everturn/0.1.0',
    'x-deepseek-harness-session-id': 's1',
    'x-deepseek-harness-compact': '1',
  });
  expect(sent?.body.messages).toEqual([{ role: 'user', content: 'hello' }]);
});

it('sends no authorization where no key is set', async () => {
  await using provider = await rawProvider(frames(choice({ content: 'x' }, 'stop'), '[DONE]'));
  await collect(chunksOf(configFor(provider.url)));
  expect(provider.requests[0]?.headers.authorization).toBeUndefined();
});
