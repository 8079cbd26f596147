import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openAiChatAdapter } from '../openai-chat/adapter.ts';
import {
  choice,
  chunksOf,
  collect,
  configFor,
  frames,
  hello,
  rawProvider,
} from '../openai-chat/testing/chat-provider.ts';

const answer = frames(choice({ content: 'x' }, 'stop'), '[DONE]');

it('keeps connections for later calls', async () => {
  await using provider = await rawProvider(answer);
  const adapter = openAiChatAdapter(configFor(provider.url));
  for (let n = 0; n < 6; n += 1) await collect(adapter.stream(hello));
  expect(new Set(provider.requests.map((request) => request.peer)).size).toBeLessThan(3);
});

it('goes through the proxy, but not to this machine', async () => {
  const asked: string[] = [];
  const proxy = createServer((socket) =>
    socket.once('data', (data) => {
      asked.push(data.toString().split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    }),
  );
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await using provider = await rawProvider(answer);
  expect((await collect(chunksOf(configFor(provider.url, { proxy: { http } })))).at(-1)?.type).toBe('finish');
  const outside = chunksOf(configFor('http://model.example/v1', { proxy: { http } }));
  await expect(collect(outside)).rejects.toMatchObject({ failure: { code: 'TRANSPORT' } });
  expect(asked).toEqual(['CONNECT model.example:80 HTTP/1.1']);
  proxy.close();
});

it('takes nothing to where an answer points', async () => {
  await using elsewhere = await rawProvider(answer);
  await using provider = await rawProvider((response) => {
    response.writeHead(307, { location: `${elsewhere.url}/chat/completions` });
    response.end();
  });
  const headers = { 'x-secret': 'key' };
  await expect(collect(chunksOf(configFor(provider.url, { headers })))).rejects.toMatchObject({
    failure: { code: 'HTTP_307', message: expect.stringContaining('HTTP 307') },
  });
  expect([provider.requests.length, elsewhere.requests.length]).toEqual([1, 0]);
});
