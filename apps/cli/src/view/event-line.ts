import { textOf, type SessionEvent } from '@everturn/core/domain';
import { inertLine } from '../terminal/inert.ts';
import type { Style } from '../terminal/style.ts';
import { describeEnd, describeFailure } from './describe-end.ts';

/** An event on one inert line: number, time, type, what it says. */
export function eventLine(event: SessionEvent, style: Style): string {
  const time = new Date(event.time).toISOString().slice(11, 23);
  const type = inertLine(event.type, 40).padEnd(17);
  return `${String(event.seq).padStart(6)}  ${style.dim(time)}  ${style.bold(type)}  ${inertLine(gist(event), 160)}`.trimEnd();
}

function gist(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/start':
      return `turn ${event.data.turn}, by ${event.data.trigger.kind}`;
    case 'turn/end':
      return `turn ${event.data.turn}: ${describeEnd(event.data.reason)}`;
    case 'step/start':
    case 'step/end':
      return `turn ${event.data.turn}, step ${event.data.step}`;
    case 'user/message':
    case 'context/message':
    case 'steering/message':
    case 'prompt/blocked':
      return textOf(event.data.content);
    case 'assistant/message':
      return [textOf(event.data.content), ...callsOf(event.data.content)].filter((part) => part !== '').join(' · ');
    case 'assistant/chunk':
      return JSON.stringify(event.data.chunk);
    case 'tool/call':
      return `${event.data.name} ${event.data.arguments}`;
    case 'tool/result':
      return `${event.data.isError ? 'failed: ' : ''}${textOf(event.data.content)}`;
    case 'request/header': {
      const { config, tools = [] } = event.data.header;
      return `${event.data.reason}: ${config.model} by ${config.provider}, ${tools.length} tools`;
    }
    case 'llm/retry':
      return `${event.data.retry} of ${event.data.maxRetries} in ${event.data.delayMs} ms: ${describeFailure(event.data.failure)}`;
    default:
      return JSON.stringify(event.data);
  }
}

function callsOf(content: (SessionEvent & { type: 'assistant/message' })['data']['content']): string[] {
  return content.flatMap((block) => (block.type === 'tool-call' ? [`calls ${block.name}`] : []));
}
