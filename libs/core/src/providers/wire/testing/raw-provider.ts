import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test's server was asked. */
export interface RawRequest {
  path: string;
  /** The client's port: the same for two requests on one connection. */
  peer: number | undefined;
  headers: IncomingHttpHeaders;
  body: { messages: unknown[]; [member: string]: unknown };
}

/** A real HTTP server that answers with exactly the bytes a test writes. */
export interface RawProvider {
  /** With `/v1`, as OpenAI's clients want it. */
  url: string;
  origin: string;
  requests: RawRequest[];
  /** Settles when the last connection's peer has closed it. */
  closed: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server on a free port; `answer` writes the response and may leave it open. */
export async function rawProvider(
  answer: (response: ServerResponse, request: RawRequest) => unknown,
): Promise<RawProvider> {
  const requests: RawRequest[] = [];
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString('utf8')) : {};
      const asked = { path: request.url ?? '', peer: request.socket.remotePort, headers: request.headers, body };
      requests.push(asked);
      response.on('close', () => closed.resolve());
      answer(response, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    closed: closed.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Everything an iteration gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
