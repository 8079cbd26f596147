import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses';
import { imagePlaceholder } from '../../domain/index.ts';
import type { ContentBlock, GenerateOptions, Message } from '../../domain/index.ts';
import { NO_OUTPUT, unsupportedBlock } from '../wire/history.ts';
import { pictureBytes } from '../wire/picture-bytes.ts';
import type { PictureBytes } from '../wire/picture-bytes.ts';
import type { ResponsesConfig } from './config.ts';
import { itemStates } from './replay.ts';
import type { ItemState } from './replay.ts';

/** A history as the items of the Responses API. */
export function wireHistory(config: ResponsesConfig, options: GenerateOptions): ResponseInputItem[] {
  const bytesOf = pictureBytes(config, options);
  return options.messages.flatMap((message) =>
    message.role === 'assistant' ? assistantItems(message) : userItems(message.content, bytesOf),
  );
}

/** Thinking goes back sealed, and only before what it led to: the provider refuses a thought without its deed. */
function assistantItems({ content, provenance }: Message): ResponseInputItem[] {
  const states = itemStates(provenance?.replayState, content.length);
  const whole = content.every((block, position) => block.type !== 'reasoning' || isSealed(states[position]));
  // With its id an item asks for the thought before it; without, it stands for itself.
  const items = content.flatMap((block, position) => assistantItem(block, whole ? states[position] : null));
  const last = items.findLastIndex((item) => item.type !== 'reasoning');
  return items.slice(0, last + 1);
}

const isSealed = (state: ItemState | null | undefined): boolean =>
  state?.id !== undefined && state.encrypted !== undefined;

function assistantItem(block: ContentBlock, state: ItemState | null | undefined): ResponseInputItem[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [saidItem(block.text.toWellFormed(), state?.id)];
    case 'reasoning': {
      if (!state?.id || state.encrypted === undefined) return [];
      const summary = (state.summary ?? []).map((text) => ({ type: 'summary_text' as const, text }));
      return [{ type: 'reasoning', id: state.id, summary, encrypted_content: state.encrypted }];
    }
    case 'tool-call': {
      const args = block.arguments.trim() === '' ? '{}' : block.arguments.toWellFormed();
      const own = state?.id ? { id: state.id } : {};
      return [{ type: 'function_call', ...own, call_id: block.id, name: block.name, arguments: args }];
    }
    default:
      throw unsupportedBlock('the Responses API', block, 'an assistant message');
  }
}

function saidItem(text: string, id: string | undefined): ResponseInputItem {
  if (id === undefined) return { type: 'message', role: 'assistant', content: text };
  return {
    type: 'message',
    role: 'assistant',
    id,
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

/** Results before words: a call must be answered before anything else is said. */
function userItems(content: readonly ContentBlock[], bytesOf: PictureBytes): ResponseInputItem[] {
  const results = content.flatMap((block): ResponseInputItem[] => {
    if (block.type !== 'tool-result') return [];
    const parts = partsOf(block.content, bytesOf, 'a tool result');
    const output = parts.every((part) => part.type === 'input_text') ? parts.map(({ text }) => text).join('') : parts;
    return [{ type: 'function_call_output', call_id: block.toolCallId, output: output === '' ? NO_OUTPUT : output }];
  });
  const said = partsOf(
    content.filter((block) => block.type !== 'tool-result'),
    bytesOf,
    'a user message',
  );
  return [...results, ...(said.length > 0 ? [{ type: 'message' as const, role: 'user' as const, content: said }] : [])];
}

type Part = Extract<ResponseInputContent, { type: 'input_text' | 'input_image' }>;

function partsOf(content: readonly ContentBlock[], bytesOf: PictureBytes, where: string): Part[] {
  return content.map((block) => {
    if (block.type === 'text') return { type: 'input_text', text: block.text.toWellFormed() };
    if (block.type !== 'image') throw unsupportedBlock('the Responses API', block, where);
    const data = bytesOf(block);
    if (data === undefined) return { type: 'input_text', text: imagePlaceholder(block) };
    return { type: 'input_image', detail: 'auto', image_url: `data:${block.mediaType};base64,${data}` };
  });
}
