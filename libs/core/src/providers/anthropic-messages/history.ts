import { createHash } from 'node:crypto';
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { imagePlaceholder } from '../../domain/index.ts';
import type { ContentBlock, GenerateOptions, Message, ToolCallBlock } from '../../domain/index.ts';
import { NO_OUTPUT, unsupportedBlock } from '../wire/history.ts';
import { pictureBytes } from '../wire/picture-bytes.ts';
import type { PictureBytes } from '../wire/picture-bytes.ts';
import type { AnthropicConfig } from './config.ts';
import { blockStates } from './replay.ts';

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

/** A history as turns that alternate: what one side said in a row is one turn, results before words. */
export function wireHistory(config: AnthropicConfig, options: GenerateOptions): MessageParam[] {
  const bytesOf = pictureBytes(config, options);
  const turns: Turn[] = [];
  for (const message of options.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = role === 'assistant' ? assistantBlocks(message) : userBlocks(message.content, bytesOf);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) turns.push({ role, content });
  }
  return turns.map(({ role, content }) => ({ role, content: role === 'user' ? resultsFirst(content) : content }));
}

const resultsFirst = (content: ContentBlockParam[]): ContentBlockParam[] => [
  ...content.filter((block) => block.type === 'tool_result'),
  ...content.filter((block) => block.type !== 'tool_result'),
];

/** Thinking goes back only as it came, with its signature; what was thought elsewhere stays out. */
function assistantBlocks({ content, provenance }: Message): ContentBlockParam[] {
  const states = blockStates(provenance?.replayState, content.length);
  return content.flatMap((block, position): ContentBlockParam[] => {
    switch (block.type) {
      case 'text':
        return words(block.text);
      case 'reasoning': {
        const state = states[position];
        if (!state) return [];
        if ('redacted' in state) return [{ type: 'redacted_thinking', data: state.redacted }];
        return [{ type: 'thinking', thinking: block.text, signature: state.signature }];
      }
      case 'tool-call':
        return [{ type: 'tool_use', id: wireId(block.id), name: block.name, input: argumentsOf(block) }];
      default:
        throw unsupportedBlock('the Messages API', block, 'an assistant message');
    }
  });
}

function userBlocks(content: readonly ContentBlock[], bytesOf: PictureBytes): ContentBlockParam[] {
  return content.flatMap((block): ContentBlockParam[] => {
    if (block.type === 'text') return words(block.text);
    if (block.type === 'image') return [picture(block, bytesOf)];
    if (block.type !== 'tool-result') throw unsupportedBlock('the Messages API', block, 'a user message');
    const inside = block.content.flatMap((part): (TextBlockParam | ImageBlockParam)[] => {
      if (part.type === 'text') return words(part.text);
      if (part.type === 'image') return [picture(part, bytesOf)];
      throw unsupportedBlock('the Messages API', part, 'a tool result');
    });
    const result: ToolResultBlockParam = {
      type: 'tool_result',
      tool_use_id: wireId(block.toolCallId),
      content: inside.length > 0 ? inside : NO_OUTPUT,
      ...(block.isError && { is_error: true }),
    };
    return [result];
  });
}

/** Texts of nothing, or of white space alone, are refused, so they are left out; lone surrogates would be no UTF-8. */
const words = (text: string) => (text.trim() === '' ? [] : [{ type: 'text' as const, text: text.toWellFormed() }]);

function picture(block: Extract<ContentBlock, { type: 'image' }>, bytesOf: PictureBytes) {
  const data = bytesOf(block);
  if (data === undefined) return { type: 'text' as const, text: imagePlaceholder(block) };
  return { type: 'image' as const, source: { type: 'base64' as const, media_type: block.mediaType, data } };
}

/** Ids of other providers may hold what this one refuses; call and result get the same. */
function wireId(id: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(id)) return id;
  const mark = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}_${mark}`;
}

/** Arguments must be an object here: what the model wrote badly once goes back as an empty one. */
function argumentsOf(call: ToolCallBlock): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(call.arguments);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch {
    // The result says what was wrong with it.
  }
  return {};
}
