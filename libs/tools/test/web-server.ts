import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A real HTTP server of one test. */
export interface WebServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  port: number;
  /** Connections that were ever made. */
  connections(): number;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Listens on a free port of `host`; closed with the test. */
export async function startWebServer(handler: Handler, host = '127.0.0.1'): Promise<WebServer> {
  let connections = 0;
  const server = createServer((request, response) => void handler(request, response)).on(
    'connection',
    () => (connections += 1),
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, connections: () => connections };
}

/** Answers every path by its entry in a table. */
export const pages =
  (table: Record<string, (response: ServerResponse, request: IncomingMessage) => void>): Handler =>
  (request, response) => {
    const answer = table[new URL(request.url ?? '/', 'http://x').pathname];
    if (answer) answer(response, request);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
  };

/** A page of one type and body. */
export const page =
  (type: string, body: string | Uint8Array, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(body);

/** What a scripted search provider was asked. */
export interface AskedSearch {
  method: string | undefined;
  url: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** A scripted stand-in for a search provider: real HTTP, answers from `answer`; keeps what it was asked. */
export async function startSearchServer(
  answer: (asked: AskedSearch, response: ServerResponse) => void,
): Promise<WebServer & { asked: AskedSearch[] }> {
  const asked: AskedSearch[] = [];
  const server = await startWebServer(async (request, response) => {
    const body = await text(request);
    const { method, url = '/', headers } = request;
    const entry = { method, url, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
    asked.push(entry);
    answer(entry, response);
  });
  return { ...server, asked };
}

/** Answers with JSON. */
export const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
