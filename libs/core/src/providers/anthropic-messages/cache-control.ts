import type {
  CacheControlEphemeral,
  MessageCreateParamsStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { AnthropicConfig } from './config.ts';

/** The provider looks back this many blocks for a beginning it knows; a step of many calls adds more. */
const MARKED_TURNS = 2;

/** Marks up to where a request is to be kept: its fixed beginning, and the last turns the user's side spoke. */
export function withCacheMarks(
  body: MessageCreateParamsStreaming,
  { cacheRetention = 'short' }: AnthropicConfig,
): MessageCreateParamsStreaming {
  if (cacheRetention === 'none') return body;
  const mark: CacheControlEphemeral = { type: 'ephemeral', ...(cacheRetention === 'long' && { ttl: '1h' }) };
  const users = body.messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const marked = new Set(users.slice(-MARKED_TURNS));
  return {
    ...body,
    ...(typeof body.system === 'string'
      ? { system: [{ type: 'text', text: body.system, cache_control: mark }] }
      : body.tools && { tools: lastMarked(body.tools, mark) }),
    messages: body.messages.map((message, index) => (marked.has(index) ? endMarked(message, mark) : message)),
  };
}

function endMarked(message: MessageParam, mark: CacheControlEphemeral): MessageParam {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  const last = message.content.at(-1);
  if (!last || last.type === 'thinking' || last.type === 'redacted_thinking') return message;
  return { ...message, content: [...message.content.slice(0, -1), { ...last, cache_control: mark }] };
}

const lastMarked = <T extends object>(list: readonly T[], mark: CacheControlEphemeral): T[] =>
  list.map((one, index) => (index === list.length - 1 ? { ...one, cache_control: mark } : one));
