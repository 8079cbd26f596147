import { describe, expect, it } from 'vitest';
import type { AttachmentId, ContentBlock, Message } from '../../domain/index.ts';
import { called, said, thought } from '../testing/conformance/words.ts';
import { assistant, failureOf, request, result, user } from '../testing/history.ts';
import type { AnthropicConfig } from './config.ts';
import { toWire } from './to-wire.ts';

const config = (more: Partial<AnthropicConfig> = {}): AnthropicConfig => ({
  provider: 'p',
  name: 'P',
  baseUrl: 'http://127.0.0.1:1',
  models: [],
  cacheRetention: 'none',
  streamIdleTimeoutMs: 1000,
  streamSilenceLimitMs: 1000,
  ...more,
});
const wired = (...messages: Message[]) => toWire(config(), request(...messages)).messages;

describe('a history', () => {
  it('becomes turns that alternate, results before words, system messages as words of the user', () => {
    expect(
      wired(
        { role: 'system', content: [said('note')] },
        user(said('read')),
        assistant([said('yes'), said('\n\n'), called('a', 'read', '{"path":"x"}'), called('b', 'f', '{"half')]),
        user(said('by the way')),
        user(result('a', said('one')), result('b', said(' \n'))),
        user(said('go on'), said('')),
      ),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'note' },
          { type: 'text', text: 'read' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'yes' },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } },
          { type: 'tool_use', id: 'b', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'one' }] },
          { type: 'tool_result', tool_use_id: 'b', content: '(no output)' },
          { type: 'text', text: 'by the way' },
          { type: 'text', text: 'go on' },
        ],
      },
    ]);
  });

  it('takes thinking back only as it came; what has no signature, or a state that does not fit, is left out', () => {
    const content = [thought('hm'), thought(''), thought('elsewhere'), said('yes')];
    const blocks = [{ signature: 's1' }, { redacted: 'r1' }, null, null];
    const state = { kind: 'anthropic-messages', version: 1, blocks };
    expect(wired(user(said('x')), assistant(content, state))[1]?.content).toEqual([
      { type: 'thinking', thinking: 'hm', signature: 's1' },
      { type: 'redacted_thinking', data: 'r1' },
      { type: 'text', text: 'yes' },
    ]);
    const neutral = [{ type: 'text', text: 'yes' }];
    for (const broken of [undefined, 'x', { ...state, version: 2 }, { ...state, blocks: blocks.slice(1) }])
      expect(wired(user(said('x')), assistant(content, broken))[1]?.content).toEqual(neutral);
  });

  it('gives call and result the same id where the provider would refuse theirs', () => {
    const [call, answer] = wired(
      assistant([called('functions.f:0', 'f', '')]),
      user(result('functions.f:0', said('r'))),
    ).map((turn) => (turn.content as { id?: string; tool_use_id?: string }[])[0]);
    expect(call?.id).toMatch(/^functions_f_0_[0-9a-f]{8}$/);
    expect(answer?.tool_use_id).toBe(call?.id);
  });

  it('shows pictures, also of results, where the model takes them and their bytes are there', () => {
    const id = 'a'.repeat(64) as AttachmentId;
    const image: ContentBlock = {
      type: 'image',
      attachmentId: id,
      mediaType: 'image/png',
      width: 8,
      height: 4,
      bytes: 2,
    };
    const options = { ...request(user(image, result('a', image))), attachments: new Map([[id, Buffer.from('hi')]]) };
    const shown = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
    expect(toWire(config({ input: ['text', 'image'] }), options).messages[0]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [shown] },
      shown,
    ]);
    const words = { type: 'text', text: '[image: image/png, 8x4 px, not shown here]' };
    expect(toWire(config(), options).messages[0]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: [words] },
      words,
    ]);
  });
});

describe('options', () => {
  const tools = [{ name: 'f', description: 'F', parameters: { type: 'object' } }];
  it('go out when they are set', () => {
    const options = { ...request(user(said('x'))), system: 'be', temperature: 0, maxTokens: 9, stop: ['a'], tools };
    expect(toWire(config(), options)).toEqual({
      model: 'm',
      max_tokens: 9,
      system: 'be',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
      stream: true,
      temperature: 0,
      stop_sequences: ['a'],
      tools: [{ name: 'f', description: 'F', input_schema: { type: 'object' } }],
    });
    expect(toWire(config(), request()).max_tokens).toBe(32_000);
    expect(toWire(config({ models: [{ id: 'm', maxTokens: 7 }] }), request()).max_tokens).toBe(7);
  });

  it.each([
    [{}, undefined, {}],
    [{}, 'off', { thinking: { type: 'disabled' } }],
    [{}, 'max', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } }],
    [
      { thinkingBudgets: { low: 2048 } },
      'low',
      { thinking: { type: 'enabled', budget_tokens: 2048 }, max_tokens: 2048 + 100 },
    ],
  ] as const)('ask for thinking: %j %s', (more, effort, expected) => {
    const options = { ...request(), maxTokens: 100, ...(effort && { reasoningEffort: effort }) };
    const { thinking, output_config, max_tokens } = toWire(config(more), options);
    expect({ thinking, output_config, max_tokens }).toEqual({
      thinking: undefined,
      output_config: undefined,
      max_tokens: 100,
      ...expected,
    });
  });

  it('never let a title be thought about, and refuse a level that is not there', () => {
    const title = { ...request(), reasoningEffort: 'max', purpose: 'session-title' } as const;
    expect(toWire(config(), title).thinking).toBeUndefined();
    const high = { ...request(), reasoningEffort: 'high' } as const;
    for (const more of [{ thinkingBudgets: { low: 2048 } }, { reasoningEfforts: { low: 'low' } }])
      expect(failureOf(() => toWire(config(more), high))).toBe('UNSUPPORTED_REASONING_EFFORT');
  });
});

describe('what the provider is to keep', () => {
  const messages = ['1', '2', '3'].flatMap((n) => [user(said(n)), assistant([said(`a${n}`)])]);
  const marks = (body: unknown) =>
    [...JSON.stringify(body).matchAll(/"text":"([^"]*)","cache_control":(\{[^}]*\})/g)].map(([, text, mark]) => [
      text,
      mark,
    ]);

  it('is marked at the end of the fixed beginning and of the last two turns of the user', () => {
    const options = { ...request(...messages), system: 'be' };
    const short = '{"type":"ephemeral"}';
    expect(marks(toWire(config({ cacheRetention: 'short' }), options))).toEqual([
      ['be', short],
      ['2', short],
      ['3', short],
    ]);
    expect(marks(toWire(config({ cacheRetention: 'long' }), options))[0]).toEqual([
      'be',
      '{"type":"ephemeral","ttl":"1h"}',
    ]);
    expect(marks(toWire(config({ cacheRetention: 'none' }), options))).toEqual([]);
  });

  it('is marked at the last tool where there is no system prompt', () => {
    const tools = ['f', 'g'].map((name) => ({ name, description: '', parameters: { type: 'object' } }));
    const body = toWire(config({ cacheRetention: 'short' }), { ...request(), tools });
    expect(body.tools?.map((tool) => 'cache_control' in tool)).toEqual([false, true]);
  });
});
