import { describe, expect, it } from 'vitest';
import type { AttachmentId, ContentBlock, JsonValue, Message, SessionId } from '../../domain/index.ts';
import { called, said, thought } from '../testing/conformance/words.ts';
import { assistant, failureOf, request, result, user } from '../testing/history.ts';
import type { ResponsesConfig } from './config.ts';
import { toWire } from './to-wire.ts';

const config = (more: Partial<ResponsesConfig> = {}): ResponsesConfig => ({
  provider: 'p',
  name: 'P',
  baseUrl: 'http://127.0.0.1:1/v1',
  models: [],
  streamIdleTimeoutMs: 1000,
  streamSilenceLimitMs: 1000,
  ...more,
});
const items = (...messages: Message[]) => toWire(config(), request(...messages)).input;

describe('a history', () => {
  const content = [thought('hm'), said('yes'), called('c1', 'read', ''), called('c2', 'f', '{"half')];
  const state = (blocks: JsonValue[]): JsonValue => ({ kind: 'openai-responses', version: 1, blocks });
  const whole = state([
    { id: 'rs', encrypted: 'sealed', summary: ['hm'] },
    { id: 'msg' },
    { id: 'fc1' },
    { id: 'fc2' },
  ]);
  const neutral = [
    { type: 'message', role: 'assistant', content: 'yes' },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{"half' },
  ];

  it('gives the items back as they came', () => {
    expect(
      items(assistant(content, whole), user(result('c1', said('a'), said('b')), result('c2')), user(said('go'))),
    ).toEqual([
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'sealed' },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg',
        status: 'completed',
        content: [{ type: 'output_text', text: 'yes', annotations: [] }],
      },
      { type: 'function_call', id: 'fc1', call_id: 'c1', name: 'read', arguments: '{}' },
      { type: 'function_call', id: 'fc2', call_id: 'c2', name: 'f', arguments: '{"half' },
      { type: 'function_call_output', call_id: 'c1', output: 'ab' },
      { type: 'function_call_output', call_id: 'c2', output: '(no output)' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
    ]);
  });

  it.each([
    ['none', undefined],
    ['one that does not fit', state([{ id: 'rs', encrypted: 'x' }])],
    ['one without the sealed thought', state([{ id: 'rs' }, { id: 'msg' }, { id: 'fc1' }, { id: 'fc2' }])],
    ['nonsense', 7],
  ])('with a state that is %s goes back in neutral form', (_what, broken) => {
    expect(items(assistant(content, broken))).toEqual(neutral);
  });

  it('keeps no thought that led to nothing: its provider would refuse it', () => {
    const cut = assistant([thought('hm')], state([{ id: 'rs', encrypted: 'sealed' }]));
    expect(items(user(said('x')), cut)).toHaveLength(1);
  });

  it('shows pictures, also of results', () => {
    const id = 'a'.repeat(64) as AttachmentId;
    const image: ContentBlock = {
      type: 'image',
      attachmentId: id,
      mediaType: 'image/png',
      width: 8,
      height: 4,
      bytes: 2,
    };
    const options = {
      ...request(user(said('look'), image, result('a', image))),
      attachments: new Map([[id, Buffer.from('hi')]]),
    };
    const shown = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,aGk=' };
    expect(toWire(config({ input: ['text', 'image'] }), options).input).toEqual([
      { type: 'function_call_output', call_id: 'a', output: [shown] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look' }, shown] },
    ]);
  });
});

describe('options', () => {
  it('go out when they are set; the provider keeps nothing', () => {
    const tools = [{ name: 'f', description: 'F', parameters: { type: 'object' } }];
    const options = { ...request(), system: 'be', temperature: 0, maxTokens: 9, tools, sessionId: 's1' as SessionId };
    expect(toWire(config(), { ...options, reasoningEffort: 'max' })).toEqual({
      model: 'm',
      input: [],
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'be',
      temperature: 0,
      max_output_tokens: 9,
      tools: [{ type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: false }],
      prompt_cache_key: 's1',
      reasoning: { effort: 'xhigh', summary: 'auto' },
    });
    expect(toWire(config(), { ...request(), reasoningEffort: 'off' }).reasoning).toEqual({ effort: 'none' });
    expect(
      toWire(config(), { ...request(), reasoningEffort: 'max', purpose: 'session-title' }).reasoning,
    ).toBeUndefined();
  });

  it('that cannot be kept are refused', () => {
    expect(failureOf(() => toWire(config(), { ...request(), stop: ['x'] }))).toBe('UNSUPPORTED_OPTION');
    const only = config({ reasoningEfforts: { low: 'low' } });
    expect(failureOf(() => toWire(only, { ...request(), reasoningEffort: 'high' }))).toBe(
      'UNSUPPORTED_REASONING_EFFORT',
    );
  });
});
