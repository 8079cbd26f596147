import type { IncomingHttpHeaders } from 'node:http';
import { PICTURES_OF } from '../openai-chat/to-wire.ts';
import type { ChatRequest, ChatMessage } from './chat-request.ts';

/** A tool result as a script sees it. */
export interface ResultView {
  tool: string;
  callId: string;
  content: string;
}

/** One exchange since the last user message: what the model called and what came back. */
export interface StepView {
  text: string;
  calls: { id: string; tool: string; arguments: string }[];
  results: ResultView[];
}

/** A request as a script sees it. */
export interface RequestView {
  model: string;
  sessionId?: string;
  purpose?: string;
  /** Text of the last user message. */
  lastUser: string;
  /** Finished steps since that message; the request asks for the next. */
  steps: StepView[];
  /** Results of the last step. */
  results: ResultView[];
  tools: string[];
  messages: readonly ChatMessage[];
  body: ChatRequest;
}

/** Reads a validated request the way scripts think of it. */
export function requestView(body: ChatRequest, headers: IncomingHttpHeaders): RequestView {
  const lastUser = body.messages.findLastIndex((message) => message.role === 'user' && !showsPictures(message));
  const steps: StepView[] = [];
  for (const message of body.messages.slice(lastUser + 1)) {
    if (message.role === 'assistant') {
      const calls = message.tool_calls ?? [];
      steps.push({
        text: message.content,
        calls: calls.map((call) => ({ id: call.id, tool: call.function.name, arguments: call.function.arguments })),
        results: [],
      });
    }
    const step = steps.at(-1);
    if (message.role === 'tool' && step) {
      const tool = step.calls.find((call) => call.id === message.tool_call_id)?.tool ?? 'unknown';
      step.results.push({ tool, callId: message.tool_call_id, content: message.content });
    }
  }
  const sessionId = headers['x-everturn-session-id'] ?? headers['x-deepseek-harness-session-id'];
  const purpose = headers['x-everturn-purpose'];
  return {
    model: body.model,
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof purpose === 'string' && { purpose }),
    lastUser: textOf(body.messages[lastUser]),
    steps,
    results: steps.at(-1)?.results ?? [],
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    messages: body.messages,
    body,
  };
}

/** A message that only shows what tools returned, because a result itself holds none. */
function showsPictures({ content }: ChatMessage): boolean {
  if (typeof content === 'string') return false;
  const [first] = content;
  return first?.type === 'text' && first.text.startsWith(PICTURES_OF);
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
