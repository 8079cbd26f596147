import type { ContentBlock, GenerateOptions, Message, SessionId, StreamChunk } from '../../../domain/index.ts';
import type { LlmRegistry } from '../../registry.ts';
import { llmRegistry } from '../../routes.ts';

/** A registry whose one route is a scripted model. */
export function scriptedRegistry(url: string, idleMs = 60_000): LlmRegistry {
  return llmRegistry({
    routes: [{ id: 'scripted', name: 'Scripted', dialect: 'scripted', baseUrl: url, models: [] }],
    streamIdleTimeoutMs: idleMs,
    streamSilenceLimitMs: idleMs,
  });
}

/** A request of a session to a script. */
export function askScript(model: string, messages: Message[], more: Partial<GenerateOptions> = {}): GenerateOptions {
  return { provider: 'scripted', model, messages, sessionId: 's1' as SessionId, ...more };
}

/** A user message. */
export const user = (value: string): Message => ({ role: 'user', content: [{ type: 'text', text: value }] });

/** What a stream came to. */
export interface Answer {
  chunks: StreamChunk[];
  content: ContentBlock[];
  text: string;
}

/** Reads a stream to its end. */
export async function answerOf(stream: AsyncIterable<StreamChunk>): Promise<Answer> {
  const chunks: StreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const content = chunks.flatMap((chunk) => (chunk.type === 'block-end' ? [chunk.block] : []));
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return { chunks, content, text };
}
