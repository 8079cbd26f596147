import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@everturn/core/domain';
import { expect, onTestFinished, test } from 'vitest';
import { held, scripted } from '../../../test/mcp/open-servers.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { httpLine } from './http-line.ts';
import { McpServer } from './mcp-server.ts';

type Answer = (...exchange: Parameters<RequestListener>) => Promise<unknown>;

/** The address of a server that answers so, until the test ends. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const filler = 'x'.repeat(60);

test.each([
  ['a body within the bound', 'application/json', [filler], { text: filler }],
  ['a body beyond it', 'application/json', [filler, filler], { failed: true }],
  ['an answer that is an error', 'text/plain', [filler, filler], { failed: true }],
  ['many events', 'text/event-stream', Array.from({ length: 9 }, () => `data: ${filler}\n\n`), {}],
  ['events whose ends are cut', 'text/event-stream', [`${filler}\r`, '\n\r', `\n${filler}`, '\r', `\r${filler}`], {}],
  ['an event beyond it', 'text/event-stream; charset=utf-8', [`data: a\n\n${filler}\n`, filler], { failed: true }],
])('%s', async (_what, type, pieces, expected) => {
  const url = await serve(async (request, response) => {
    response.writeHead(type === 'text/plain' ? 500 : 200, { 'content-type': type, 'x-kept': 'yes' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    if (!('failed' in expected)) response.end(); // one that is too long may go on for ever
  });
  let told = 0;
  const response = await boundedFetch({ maxBytes: 100, onEventTooLong: () => (told += 1) })(url);
  expect(response.headers.get('x-kept')).toBe('yes');
  const read = response.text().then(
    (text) => ({ text }),
    (error: Error) => ({ failure: error.message }),
  );
  expect(await read).toEqual(
    'failed' in expected ? { failure: 'it sent a message of more than 100 bytes' } : { text: pieces.join('') },
  );
  expect(told).toBe(type.startsWith('text/event-stream') && 'failed' in expected ? 1 : 0);
});

/** A server of the protocol whose tool answers a kilobyte, in the form that is asked for. */
const endless: Answer = async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, method, params } = JSON.parse(body) as JsonObject & { params?: JsonObject };
  const answer = (result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });
  const json = { 'content-type': 'application/json' };
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'initialize') {
    const serverInfo = { name: 'endless', version: '1' };
    const capabilities = { tools: {} };
    const { protocolVersion } = params ?? {};
    return void response.writeHead(200, json).end(answer({ protocolVersion, capabilities, serverInfo }));
  }
  if (method === 'tools/list') return void response.writeHead(200, json).end(answer({ tools: [] }));
  const content = [{ type: 'text', text: params?.['name'] === 'short' ? 'ok' : 'x'.repeat(1_000) }];
  if (params?.['name'] === 'json' || params?.['name'] === 'short')
    return void response.writeHead(200, json).end(answer({ content }));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${answer({ content })}`); // and its end never comes
};

test('a server that answers too much fails the call, a stream of it the connection, and is called again', async () => {
  const transport = { kind: 'streamable-http' as const, url: held(await serve(endless)), headers: {} };
  const server = new McpServer({
    options: scripted('far', '', { transport }),
    line: () => httpLine(transport, 500),
    onChange: () => undefined,
    onNotice: () => undefined,
  });
  onTestFinished(() => server.close());
  await server.start();
  const call = (name: string) =>
    server.request({ method: 'tools/call', params: { name }, signal: new AbortController().signal });
  await expect(call('json')).rejects.toThrow(/^MCP server "far": it sent a message of more than 500 bytes$/);
  expect(server.state).toBe('connected');
  await expect(call('stream')).rejects.toThrow(
    /^MCP server "far" was lost while it worked on this call: it sent a message of more than 500 bytes\n/,
  );
  expect(await call('short')).toMatchObject({ content: [{ text: 'ok' }] });
});
