import { LlmError } from '../../domain/index.ts';
import type { ContentBlock, GenerateOptions, Message } from '../../domain/index.ts';
import { modelOf } from '../wire/models.ts';
import type { OpenAiChatConfig } from './config.ts';
import { maxTokensField, reasoningFields } from './dialect.ts';
import { pictureWriter, type WritePicture } from './pictures.ts';
import { effortFields } from './thinking.ts';
import type { WireMessage, WirePart, WireToolCall } from './wire-message.ts';

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
  const maxTokens = options.maxTokens ?? modelOf(config, options.model)?.maxTokens;
  return {
    model: options.model,
    messages: [
      ...(options.system ? [{ role: 'system' as const, content: options.system.toWellFormed() }] : []),
      ...wireHistory(config, options),
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

/** A message, and the pictures it may not hold itself: those of a tool result. */
interface Written {
  message: WireMessage;
  pictures?: WirePart[];
}

/** Results must follow their calls without a gap, and are text; so their pictures come in one message behind them all. */
function wireHistory(config: OpenAiChatConfig, options: GenerateOptions): WireMessage[] {
  const write = pictureWriter(config, options);
  const history: WireMessage[] = [];
  let pictures: WirePart[] = [];
  const show = (): void => {
    if (pictures.length > 0) history.push({ role: 'user', content: pictures });
    pictures = [];
  };
  for (const written of options.messages.flatMap((message) => wireMessages(config, message, write))) {
    if (written.message.role !== 'tool') show();
    history.push(written.message);
    pictures.push(...(written.pictures ?? []));
  }
  show();
  return history;
}

function wireMessages(config: OpenAiChatConfig, message: Message, write: WritePicture): Written[] {
  switch (message.role) {
    case 'system':
      return [{ message: { role: 'system', content: textOf(message.content, 'a system message') } }];
    case 'assistant':
      return [{ message: wireAssistant(message, reasoningFields(config, message.provenance?.provider)) }];
    case 'user':
      return wireUser(message, write);
  }
}

function wireAssistant(message: Message, fields: ReturnType<typeof reasoningFields>): WireMessage {
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
    ...(reasoning && Object.fromEntries(fields.map((field) => [field, reasoning.toWellFormed()]))),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** A call that came without arguments goes back as an empty object: servers parse what stands there. */
function wireCall(block: Extract<ContentBlock, { type: 'tool-call' }>): WireToolCall {
  const text = block.arguments.trim() === '' ? '{}' : block.arguments;
  return { id: block.id, type: 'function', function: { name: block.name, arguments: text.toWellFormed() } };
}

function wireUser(message: Message, write: WritePicture): Written[] {
  const results = message.content.filter((block) => block.type === 'tool-result');
  const rest = message.content.filter((block) => block.type !== 'tool-result');
  return [
    ...(rest.length > 0 || results.length === 0
      ? [{ message: { role: 'user' as const, content: wireContent(rest, write) } }]
      : []),
    ...results.map((result) => wireResult(result, write)),
  ];
}

/** Text alone as one string, as every server knows it; with pictures as parts, in order. */
function wireContent(content: ContentBlock[], write: WritePicture): string | WirePart[] {
  const parts = partsOf(content, 'a user message', write);
  return parts.every((part) => part.type === 'text') ? parts.map(({ text }) => text).join('') : parts;
}

function wireResult(
  { toolCallId, content }: Extract<ContentBlock, { type: 'tool-result' }>,
  write: WritePicture,
): Written {
  const parts = partsOf(content, 'a tool result', write);
  const pictures = parts.filter((part) => part.type === 'image_url');
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const message: WireMessage = {
    role: 'tool',
    tool_call_id: toolCallId,
    content: text || (pictures.length > 0 ? '(the picture follows)' : '(no output)'),
  };
  if (pictures.length === 0) return { message };
  return { message, pictures: [{ type: 'text', text: `${PICTURES_OF}${toolCallId}:` }, ...pictures] };
}

/** What introduces the pictures of a result; scripts tell by it that nobody said anything new. */
export const PICTURES_OF = 'Image returned by the tool call ';

function partsOf(content: ContentBlock[], where: string, write: WritePicture): WirePart[] {
  return content.map((block) => {
    if (block.type === 'image') return write(block);
    return { type: 'text', text: textOf([block], where) };
  });
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
