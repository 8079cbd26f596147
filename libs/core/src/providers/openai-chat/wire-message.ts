export interface WireToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** A piece of a user message that holds more than text. */
export type WirePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A message as the chat-completions protocol writes it. */
export type WireMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | WirePart[] }
  | { role: 'assistant'; content: string; reasoning_content?: string; reasoning?: string; tool_calls?: WireToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };
