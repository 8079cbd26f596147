import type { ServerResponse } from 'node:http';
import { assertNever } from '../../domain/index.ts';
import type { Fault } from './script.ts';

type WholeFault = Extract<Fault, { kind: 'status' | 'context-overflow' | 'error-frame' | 'html' | 'garbage' }>;

/** Tells the faults that replace an answer from those inside its stream. */
export function replacesAnswer(fault: Fault): fault is WholeFault {
  return ['status', 'context-overflow', 'error-frame', 'html', 'garbage'].includes(fault.kind);
}

/** Answers with an error object, as the protocol does. */
export function refuse(
  response: ServerResponse,
  input: { status: number; message: string; code?: string; retryAfter?: number | string },
): void {
  const { status, message, code = null, retryAfter } = input;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `scripted-${status}`, ...headers });
  response.end(
    JSON.stringify({ error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code } }),
  );
}

/** Answers with a fault instead of an answer. */
export function writeFault(fault: WholeFault, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status':
      return refuse(response, { message: `scripted status ${fault.status}`, ...fault });
    case 'context-overflow':
      return refuse(response, {
        status: 400,
        message: 'the messages exceed the maximum context length of this model',
        code: 'context_length_exceeded',
      });
    case 'error-frame': {
      const { message, code = null } = fault;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ error: { message, code } })}\n\ndata: [DONE]\n\n`);
      return;
    }
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>verify you are human</html>');
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"delta":{"content":"abc\n\n');
      return;
    default:
      return assertNever(fault, 'fault');
  }
}
