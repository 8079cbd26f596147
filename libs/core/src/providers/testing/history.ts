import { isLlmError } from '../../domain/index.ts';
import type { CallId, ContentBlock, GenerateOptions, JsonValue, Message } from '../../domain/index.ts';

/** A request of provider `p` with these messages, and the messages and blocks to make it of. */
export const request = (...messages: Message[]): GenerateOptions => ({ provider: 'p', model: 'm', messages });
export const user = (...content: ContentBlock[]): Message => ({ role: 'user', content });
export const assistant = (content: ContentBlock[], replayState?: JsonValue): Message => ({
  role: 'assistant',
  content,
  provenance: { provider: 'p', model: 'm', ...(replayState !== undefined && { replayState }) },
});
export const result = (id: string, ...content: ContentBlock[]): ContentBlock => ({
  type: 'tool-result',
  toolCallId: id as CallId,
  content,
});

/** The code with which something is refused, or `none`. */
export function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isLlmError(error) ? error.failure.code : String(error);
  }
  return 'none';
}
