import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GenerateOptions, StreamChunk } from '../../../domain/index.ts';
import { checkGrammar } from '../../grammar.ts';
import { openAiChatAdapter } from '../adapter.ts';
import type { OpenAiChatConfig } from '../config.ts';

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
  url: string;
  requests: RawRequest[];
  /** Settles when the last connection's peer has closed it. */
  closed: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server on a free port; `answer` writes the response and may leave it open. */
export async function rawProvider(answer: (response: ServerResponse) => unknown): Promise<RawProvider> {
  const requests: RawRequest[] = [];
  const closed = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString('utf8')) : {};
      requests.push({ path: request.url ?? '', peer: request.socket.remotePort, headers: request.headers, body });
      response.on('close', () => closed.resolve());
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    closed: closed.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes frames as an event stream; a string goes out as it is, anything else as JSON. */
export const frames =
  (...list: unknown[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const frame of list) response.write(`data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`);
    response.end();
  };

/** A frame with one choice. */
export const choice = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
});

/** A frame with one piece of a tool call; `undefined` members are absent. */
export const piece = (index: number | undefined, id?: string, name?: string, args?: string): object =>
  choice({ tool_calls: [{ index, id, function: { name, arguments: args } }] });

/** A configuration of the adapter for a test's server. */
export const configFor = (url: string, more: Partial<OpenAiChatConfig> = {}): OpenAiChatConfig => ({
  provider: 'p',
  name: 'P',
  dialect: 'openai',
  baseUrl: url,
  models: [],
  streamIdleTimeoutMs: 60_000,
  streamSilenceLimitMs: 60_000,
  ...more,
});

/** A request that says hello. */
export const hello: GenerateOptions = {
  provider: 'p',
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
};

/** Everything an iteration gives. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The chunks of one call, checked for their order. */
export function chunksOf(config: OpenAiChatConfig, options: GenerateOptions = hello): AsyncGenerator<StreamChunk> {
  return checkGrammar(openAiChatAdapter(config).stream(options));
}
