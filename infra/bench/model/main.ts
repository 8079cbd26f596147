/**
 * The bench's model: a process that speaks the wire format of chat completions, answers without delay whatever the
 * length of the history, and writes down when each request arrived. Sessions are planned over /control.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monotonicMs } from '../measure/clock.ts';
import { writeAnswer } from './answer.ts';
import { type Plan, requestNumber, type SeenRequest } from './plan.ts';

interface Session {
  plan: Plan;
  readonly seen: SeenRequest[];
  /** Goes on with the answer that waits. */
  release?: () => void;
}

const sessions = new Map<string, Session>();

const server = createServer((request, response) => {
  const arrivedAt = monotonicMs();
  void handle(request, response, arrivedAt).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ ready: true, port })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

async function handle(request: IncomingMessage, response: ServerResponse, arrivedAt: number): Promise<void> {
  const bytes = Buffer.concat(await request.toArray());
  const [path = '', query] = (request.url ?? '').split('?');
  if (path.endsWith('/chat/completions')) return complete(request, response, bytes, arrivedAt);
  const id = new URLSearchParams(query).get('session') ?? '';
  switch (path) {
    case '/control/plan': {
      const { ids, plan } = JSON.parse(bytes.toString()) as { ids: string[]; plan: Plan };
      for (const each of ids) sessions.set(each, { plan, seen: sessions.get(each)?.seen ?? [] });
      return reply(response, {});
    }
    case '/control/release':
      sessions.get(id)?.release?.();
      return reply(response, {});
    case '/control/seen':
      return reply(response, sessions.get(id)?.seen ?? []);
    default:
      response.writeHead(404).end();
  }
}

async function complete(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  arrivedAt: number,
): Promise<void> {
  const session = sessions.get(String(request.headers['x-everturn-session-id']));
  if (!session) {
    response.writeHead(400).end('this session has no plan');
    return;
  }
  const number = requestNumber(bytes.toString());
  session.seen.push({ request: number, arrivedAt, bytes: bytes.length });
  if (session.plan.holdAt?.includes(number)) await new Promise<void>((resolve) => (session.release = resolve));
  writeAnswer(response, session.plan, number);
}

function reply(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
