import { z } from 'zod';
import { ChatRequest } from './chat-request.ts';
import type { ChatMessage } from './chat-request.ts';

/** A request the strictest of providers would take, or why it would not. */
export function validateRequest(bytes: Uint8Array): { request: ChatRequest } | { refusal: string } {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { refusal: 'the body is not JSON in UTF-8' };
  }
  const parsed = ChatRequest.safeParse(body);
  if (!parsed.success) return { refusal: z.prettifyError(parsed.error) };
  const refusal = illFormed(body) ?? unpaired(parsed.data.messages) ?? unresolvedReference(parsed.data.tools);
  return refusal ? { refusal } : { request: parsed.data };
}

/** Each call must be answered right after its message, once, and nothing else may be. */
function unpaired(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [n, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return `messages[${n}]: no open call ${message.tool_call_id}`;
      continue;
    }
    if (open.size > 0) return `messages[${n}]: calls ${[...open].join(', ')} lack their results before it`;
    const ids = message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [];
    open = new Set(ids);
    if (open.size < ids.length) return `messages[${n}]: two calls share an id`;
  }
  return open.size > 0 ? `the messages end while calls ${[...open].join(', ')} lack their results` : undefined;
}

function illFormed(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.isWellFormed() ? undefined : 'half a character (a lone surrogate) in a text';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const refusal = illFormed(key) ?? illFormed(member);
    if (refusal) return refusal;
  }
  return undefined;
}

function unresolvedReference(tools: ChatRequest['tools']): string | undefined {
  for (const tool of tools ?? []) {
    const schema: Record<string, unknown> = tool.function.parameters ?? {};
    const wanted = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map((match) => match[1]);
    const defined = Object.keys(schema.$defs ?? {});
    const missing = wanted.find((name) => !defined.includes(String(name)));
    if (missing) return `tool ${tool.function.name}: nothing is defined as ${missing}`;
  }
  return undefined;
}
