import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@everturn/core/config';
import { afterEach, expect, test } from 'vitest';
import { ApiClient } from './api-client.ts';
import { followEvents, type Followed } from './follow-events.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A server that answers its n-th request with the n-th answer, and the last one for ever. */
async function serve(...answers: Answer[]) {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers['last-event-id'] as string | undefined);
    (answers[Math.min(seen.length, answers.length) - 1] as Answer)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api: new ApiClient({ apiUrl, apiKey: new Secret('k') }), seen };
}

const streaming = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const event = (id: number) => `id: ${id}\nevent: e\ndata: {"seq":${id},"text":"北京🙂"}\n\n`;

async function take(api: ApiClient, frames: number, options: { silenceMs?: number } = {}) {
  const stop = new AbortController();
  const taken: Followed[] = [];
  for await (const followed of followEvents({ api, path: '/v1/events', signal: stop.signal, pauseMs: 1, ...options })) {
    taken.push(followed);
    if (taken.filter(({ kind }) => kind === 'frame').length === frames) stop.abort();
  }
  return taken.map((followed) => (followed.kind === 'frame' ? (followed.frame.id ?? followed.frame.event) : '…'));
}

test('goes on from the last whole event, wherever the stream breaks off', async () => {
  const half = Buffer.from(event(2));
  const { api, seen } = await serve(
    (response) => {
      streaming(response).write(`: heartbeat\n\n${event(0)}event: agent/status\ndata: {}\n\n`);
      // Cut inside a character of an event, which therefore has not arrived.
      response.write(Buffer.concat([Buffer.from(event(1)), half.subarray(0, half.length - 8)]), () =>
        response.destroy(),
      );
    },
    (response) => response.writeHead(503).end('{"code":"SHUTTING_DOWN","message":"later"}'),
    (response) => streaming(response).write(event(2) + event(3)),
  );
  expect(await take(api, 5)).toEqual(['0', 'agent/status', '1', '…', '…', '2', '3']);
  expect(seen).toEqual([undefined, '1', '1']);
});

test('bytes that arrive one by one make the same frames', async () => {
  const { api } = await serve((response) => {
    const bytes = Buffer.from(event(0) + event(1));
    streaming(response);
    const send = (at: number): void => {
      if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
    };
    send(0);
  });
  expect(await take(api, 2)).toEqual(['0', '1']);
});

test('a stream that went silent is opened again', async () => {
  const { api, seen } = await serve(
    (response) => streaming(response).write(event(0)),
    (response) => streaming(response).write(event(1)),
  );
  expect(await take(api, 2, { silenceMs: 50 })).toEqual(['0', '…', '1']);
  expect(seen).toEqual([undefined, '0']);
});

test('a refusal that asking again cannot mend is thrown', async () => {
  const { api } = await serve((response) => response.writeHead(401).end('{"code":"UNAUTHENTICATED","message":"no"}'));
  await expect(take(api, 1)).rejects.toMatchObject({ name: 'ApiRefusal', code: 'UNAUTHENTICATED', status: 401 });
});
