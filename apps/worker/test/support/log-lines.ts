import { PERMISSION_FACTS, type SessionEvent } from '@everturn/core/domain';

/** A log without its chunks, its title and what is fixed at creation, one short line an event, for whole-value assertions. */
export function logLines(events: readonly SessionEvent[]): string[] {
  const left = new Set<string>(['assistant/chunk', 'session/title', ...PERMISSION_FACTS]);
  return events.filter(({ type }) => !left.has(type)).map(line);
}

function line(event: SessionEvent): string {
  switch (event.type) {
    case 'turn/end':
      return `turn/end ${event.data.reason.kind}`;
    case 'tool/call':
      return `tool/call ${event.data.callId}`;
    case 'tool/result':
      return `tool/result ${event.data.callId} ${event.data.error?.code ?? (event.data.isError ? 'error' : 'ok')}`;
    case 'llm/retry':
      return `llm/retry ${event.data.failure.code}`;
    case 'approval/decided':
      return `approval/decided ${event.data.outcome}`;
    default:
      return event.type;
  }
}

/** The text of a call's result. */
export function resultText(events: readonly SessionEvent[], callId: string): string {
  const result = events.find((event) => event.type === 'tool/result' && event.data.callId === callId);
  if (result?.type !== 'tool/result') throw new Error(`no result of ${callId}`);
  return result.data.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
}
