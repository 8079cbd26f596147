import { LlmError } from '../../domain/index.ts';
import type { ContentBlock, GenerateOptions, Message } from '../../domain/index.ts';
import type { OpenAiChatConfig } from './config.ts';
import { effortFields, maxTokensField, modelsOf, replaysReasoning } from './dialect.ts';

interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A message as the chat-completions protocol writes it. */
export type WireMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; reasoning_content?: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

/** The body of a chat-completions request. */
export interface WireRequest {
  model: string;
  messages: WireMessage[];
  stream: true;
  stream_options: { include_usage: true };
  [option: string]: unknown;
}

/** Writes a request; throws `UNSUPPORTED_CONTENT` or `UNSUPPORTED_REASONING_EFFORT` rather than leave anything out. */
export function toWire(config: OpenAiChatConfig, options: GenerateOptions): WireRequest {
  const maxTokens = options.maxTokens ?? modelsOf(config).find((model) => model.id === options.model)?.maxTokens;
  return {
    model: options.model,
    messages: [
      ...(options.system ? [{ role: 'system' as const, content: options.system.toWellFormed() }] : []),
      ...options.messages.flatMap((message) => wireMessages(config, message)),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { [maxTokensField(config)]: maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.stop?.length && { stop: options.stop }),
    ...(options.tools?.length && {
      tools: options.tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
    ...effortFields(config, options),
  };
}

function wireMessages(config: OpenAiChatConfig, message: Message): WireMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: textOf(message.content, 'a system message') }];
    case 'assistant':
      return [wireAssistant(message, replaysReasoning(config, message.provenance?.provider))];
    case 'user':
      return wireUser(message);
  }
}

function wireAssistant(message: Message, withReasoning: boolean): WireMessage {
  let content = '';
  let reasoning = '';
  const calls: WireToolCall[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        content += block.text;
        break;
      case 'reasoning':
        reasoning += block.text;
        break;
      case 'tool-call':
        calls.push(wireCall(block));
        break;
      default:
        throw unsupported(block, 'an assistant message');
    }
  }
  return {
    role: 'assistant',
    content: content.toWellFormed(),
    ...(withReasoning && reasoning && { reasoning_content: reasoning.toWellFormed() }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** A call that came without arguments goes back as an empty object: servers parse what stands there. */
function wireCall(block: Extract<ContentBlock, { type: 'tool-call' }>): WireToolCall {
  const text = block.arguments.trim() === '' ? '{}' : block.arguments;
  return { id: block.id, type: 'function', function: { name: block.name, arguments: text.toWellFormed() } };
}

function wireUser(message: Message): WireMessage[] {
  const results = message.content.filter((block) => block.type === 'tool-result');
  const rest = message.content.filter((block) => block.type !== 'tool-result');
  return [
    ...(rest.length > 0 || results.length === 0
      ? [{ role: 'user' as const, content: textOf(rest, 'a user message') }]
      : []),
    ...results.map((result) => ({
      role: 'tool' as const,
      tool_call_id: result.toolCallId,
      content: textOf(result.content, 'a tool result') || '(no output)',
    })),
  ];
}

/** Lone surrogates become U+FFFD: half a character would make the request invalid UTF-8 for its reader. */
function textOf(content: ContentBlock[], where: string): string {
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      throw unsupported(block, where);
    })
    .join('')
    .toWellFormed();
}

function unsupported(block: ContentBlock, where: string): LlmError {
  const message = `chat completions cannot carry a ${block.type} block in ${where}`;
  return new LlmError({ code: 'UNSUPPORTED_CONTENT', message });
}
