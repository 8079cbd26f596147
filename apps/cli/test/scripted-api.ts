import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An HTTP server that speaks the API's routes and frames for one session, as far as `run` uses them. */
export interface ScriptedApi {
  url: string;
  /** `METHOD path` of every request, with its body. */
  requests: { route: string; body: unknown; idempotencyKey: string | undefined }[];
  /** Appends an event to the session's log. */
  append(type: string, data: object): void;
  /** Breaks every open stream off. */
  drop(): void;
  close(): void;
}

/** Starts it on any free port. */
export async function startScriptedApi(): Promise<ScriptedApi> {
  const requests: ScriptedApi['requests'] = [];
  const log: string[] = [];
  const streams = new Set<ServerResponse>();
  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const after = Number(request.headers['last-event-id'] ?? -1);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `: heartbeat\n\nevent: agent/status\ndata: {"status":"running"}\n\n${log.slice(after + 1).join('')}`,
    );
    streams.add(response);
    response.on('close', () => streams.delete(response));
  };
  const server = createServer((request, response) => {
    void (async () => {
      const [path = ''] = (request.url ?? '').split('?');
      const raw = await text(request);
      const body: unknown = raw === '' ? undefined : JSON.parse(raw);
      const route = `${request.method} ${path}`;
      requests.push({ route, body, idempotencyKey: request.headers['idempotency-key'] as string | undefined });
      if (/^GET .*\/events$/.test(route)) return follow(request, response);
      const [status, answer] = answerOf(route, body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    append: (type, data) => {
      const seq = log.length;
      log.push(`id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, seq, time: 1_000 + seq, data })}\n\n`);
      for (const stream of streams) stream.write(log[seq]);
    },
    drop: () => streams.forEach((stream) => stream.destroy()),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerOf(route: string, body: unknown): [number, object] {
  if (route === 'POST /v1/sessions') {
    const { id, model } = body as { id: string; model?: string };
    if (model === 'nope')
      return [400, { code: 'UNKNOWN_MODEL', message: 'body.model: \u001b[2J no such model', details: {} }];
    const session = { id, status: 'starting', createdAt: '', title: '', preview: '', queueLength: 0, usage: {} };
    const links = { temporal: `http://ui/namespaces/n/workflows/session%3A${id}` };
    return [201, { ...session, links, prompt: { promptId: 'p1', requestId: 'p1', accepted: 'delivered' } }];
  }
  if (route.endsWith('/requests/p1'))
    return [200, { requestId: 'p1', outcome: 'accepted', prompt: { state: 'claimed', turn: 1 } }];
  if (route.endsWith('/cancel')) return [202, { requestId: 'c1', accepted: 'delivered' }];
  return [404, { code: 'ROUTE_NOT_FOUND', message: route, details: {} }];
}
