import type { LookupAddress } from 'node:dns';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { page, startWebServer } from '../../test/web-server.ts';
import { openWorkspace } from '../../test/workspace.ts';
import type { ResolveName } from '../world/web/guarded-agent.ts';

const secret = (_request: unknown, response: ServerResponse) => page('text/plain', 'internal')(response);

/** Answers each question with the next entry: addresses of a name that change between two questions. */
function changing(...answers: string[][]): { resolve: ResolveName; asked: string[] } {
  const asked: string[] = [];
  const resolve: ResolveName = (name, _options, done) => {
    const addresses = answers[asked.length] ?? [];
    asked.push(name);
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked };
}

test.each([
  'http://127.0.0.1:P',
  'http://localhost:P',
  'http://[::1]:P',
  'http://[::ffff:127.0.0.1]:P',
  'http://[::127.0.0.1]:P',
  'http://[64:ff9b::7f00:1]:P',
  'http://2130706433:P',
  'http://0x7f000001:P',
  'http://0177.0.0.1:P',
  'http://017700000001:P',
  'http://127.1:P',
  'http://127。0。0。1:P',
  'http://①②⑦.0.0.1:P',
  'http://127.0.0.1.:P',
  'http://0.0.0.0:P',
  'http://[::]:P',
  'http://100.64.0.1',
  'http://10.0.0.1',
  'http://169.254.169.254/latest/meta-data/',
])('%s is refused by name and never dialled', async (spelled) => {
  const server = await startWebServer(secret, '::');
  const { call } = await openWorkspace();
  const result = await call('web_fetch', { url: spelled.replace('P', String(server.port)) });
  expect(result).toMatchObject({ isError: true, code: 'WEB_BLOCKED_URL' });
  expect(result.text).toMatch(/is not a public address: /);
  expect(server.connections()).toBe(0);
});

test('a name is judged by every address it has', async () => {
  const server = await startWebServer(secret);
  const { resolve } = changing(['127.0.0.1', '10.0.0.1']);
  const { call } = await openWorkspace({ web: { allowAddresses: ['127.0.0.1'], resolve } });
  const result = await call('web_fetch', { url: `http://mixed.test:${server.port}` });
  expect(result).toMatchObject({ code: 'WEB_BLOCKED_URL' });
  expect(result.text).toContain('"mixed.test" (10.0.0.1) is not a public address: private');
  expect(server.connections()).toBe(0);
});

test('the address that was checked is the one that is dialled: one question a connection', async () => {
  const server = await startWebServer(secret);
  const { resolve, asked } = changing(['127.0.0.1'], ['127.0.0.9']);
  const { call } = await openWorkspace({ web: { allowAddresses: ['127.0.0.1'], resolve } });
  expect((await call('web_fetch', { url: `http://rebind.test:${server.port}` })).isError).toBe(false);
  expect(asked).toEqual(['rebind.test']);
});

test('a name that leads elsewhere at its second hop is refused there', async () => {
  const internal: string[] = [];
  const server = await startWebServer((request, response) => {
    internal.push(`${request.socket.localAddress} ${request.url}`);
    response.writeHead(302, { location: '/next', connection: 'close' }).end();
  }, '0.0.0.0');
  const { resolve, asked } = changing(['127.0.0.2'], ['127.0.0.1']);
  const { call } = await openWorkspace({ web: { allowAddresses: ['127.0.0.2'], resolve } });
  const result = await call('web_fetch', { url: `http://rebind.test:${server.port}/first` });
  expect(result).toMatchObject({ code: 'WEB_BLOCKED_URL' });
  expect(result.text).toContain('"rebind.test" (127.0.0.1) is not a public address: loopback');
  expect(asked).toEqual(['rebind.test', 'rebind.test']);
  expect(internal).toEqual(['127.0.0.2 /first']);
});

test('a name nobody knows is an error of the request', async () => {
  const resolve: ResolveName = (_name, _options, done) =>
    done(Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' }), []);
  const { call } = await openWorkspace({ web: { resolve } });
  const result = await call('web_fetch', { url: 'http://nowhere.test/' });
  expect(result).toMatchObject({ code: 'WEB_PROVIDER_ERROR' });
  expect(result.text).toContain('ENOTFOUND');
});
