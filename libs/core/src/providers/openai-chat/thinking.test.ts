import { expect, it } from 'vitest';
import type { Message, ReasoningEffort } from '../../domain/index.ts';
import type { ChatDialect } from './config.ts';
import { effortFields } from './thinking.ts';
import { configFor, hello } from './testing/chat-provider.ts';
import { toWire } from './to-wire.ts';

it.each<[ChatDialect, ReasoningEffort, object]>([
  ['vllm', 'off', { chat_template_kwargs: { enable_thinking: false, thinking: false } }],
  ['vllm', 'high', { reasoning_effort: 'high', chat_template_kwargs: { enable_thinking: true, thinking: true } }],
  ['llamacpp', 'off', { chat_template_kwargs: { enable_thinking: false } }],
  ['llamacpp', 'low', { chat_template_kwargs: { enable_thinking: true, reasoning_effort: 'low' } }],
  ['ollama', 'off', { reasoning_effort: 'none' }],
  ['ollama', 'medium', { reasoning_effort: 'medium' }],
  ['scripted', 'off', { reasoning_effort: 'off' }],
])('%s is asked for %s', (dialect, reasoningEffort, expected) => {
  const config = configFor('http://127.0.0.1:1/v1', { dialect });
  expect(effortFields(config, { ...hello, reasoningEffort })).toEqual(expected);
  expect(effortFields(config, hello)).toEqual({});
});

it.each<[ChatDialect, object]>([
  ['deepseek', { reasoning_content: 'hm' }],
  ['openai', { reasoning_content: 'hm' }],
  ['vllm', { reasoning_content: 'hm', reasoning: 'hm' }],
  ['llamacpp', { reasoning_content: 'hm' }],
  ['ollama', { reasoning: 'hm' }],
])('%s gets its own thinking back as it knows it', (dialect, fields) => {
  const thinking = (provider: string): Message => ({
    role: 'assistant',
    content: [{ type: 'reasoning', text: 'hm' }],
    provenance: { provider, model: 'm' },
  });
  const config = configFor('http://127.0.0.1:1/v1', { dialect });
  const { messages } = toWire(config, { ...hello, messages: [thinking('p'), thinking('other')] });
  const bare = { role: 'assistant', content: '' };
  // DeepSeek refuses a history that dropped any thinking, whoever thought.
  expect(messages).toEqual([{ ...bare, ...fields }, dialect === 'deepseek' ? { ...bare, ...fields } : bare]);
});
