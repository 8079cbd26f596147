import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { page, pages, startWebServer } from '../../test/web-server.ts';
import { openWorkspace } from '../../test/workspace.ts';
import { resultText, runCall, ToolSettings } from '../kit/index.ts';
import { executeWebFetch } from './execute.ts';
import { webFetch } from './schema.ts';

const unbounded = ToolSettings.parse({ maxInlineBytes: 1_000_000 });
const allowed = { allowAddresses: ['127.0.0.1'] };
const redirect =
  (location: string | undefined, status = 302) =>
  (response: ServerResponse) =>
    void response.writeHead(status, location === undefined ? {} : { location }).end();

test('shows HTML as Markdown, other text as it is, and an error status as a result', async () => {
  const server = await startWebServer(
    pages({
      '/html': page('text/html; charset=utf-8', '<h1>Hi</h1><script>1</script><p>there'),
      '/json': page('application/problem+json', '{"a":1}'),
      '/gone': page('text/plain', 'gone', 410),
    }),
  );
  const { call } = await openWorkspace({ web: allowed });
  expect(await call('web_fetch', { url: `${server.url}/html` })).toEqual({
    text: `Fetched ${server.url}/html (HTTP 200)\n\n# Hi\n\nthere\n`,
    isError: false,
  });
  expect((await call('web_fetch', { url: `${server.url}/json` })).text).toBe(
    `Fetched ${server.url}/json (HTTP 200)\n\n{"a":1}`,
  );
  expect(await call('web_fetch', { url: `${server.url}/gone` })).toEqual({
    text: `Fetched ${server.url}/gone (HTTP 410)\n\ngone`,
    isError: false,
  });
});

test('a page is asked for in our own name, and nothing else is told of who asks', async () => {
  const asked: (string | undefined)[] = [];
  const server = await startWebServer((request, response) => {
    asked.push(request.headers['user-agent'], request.headers.cookie, request.headers.referer);
    page('text/plain', 'x')(response);
  });
  const { call } = await openWorkspace({ web: allowed });
  expect((await call('web_fetch', { url: server.url })).isError).toBe(false);
  expect(asked).toEqual([expect.stringMatching(/^everturn\/\d+\.\d+\.\d+ \(web_fetch\)$/), undefined, undefined]);
});

test.each([
  ['header', 'text/plain; charset=windows-1251', Buffer.from([0xcf, 0xf0, 0xe8])],
  [
    'declaration in HTML',
    'text/html',
    Buffer.concat([Buffer.from('<meta charset=koi8-r><p>'), Buffer.from([0xf0, 0xd2, 0xc9])]),
  ],
  ['byte order mark over the header', 'text/plain; charset=latin1', Buffer.from('\ufeffПри')],
  [
    'declaration in XML',
    'application/xml',
    Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), Buffer.from([0xcf, 0xf0, 0xe8])]),
  ],
  ['UTF-16 by its mark', 'text/plain', Buffer.from('\ufeffПри', 'utf16le')],
  ['default', 'text/plain', Buffer.from('При')],
])('reads the charset of the %s', async (_where, type, body) => {
  const server = await startWebServer((_request, response) => page(type, body)(response));
  const { call } = await openWorkspace({ web: allowed });
  expect((await call('web_fetch', { url: server.url })).text.trimEnd()).toMatch(/При$/);
});

test.each([
  ['image/png', 'it is image/png'],
  ['application/octet-stream', 'it is application/octet-stream'],
  ['text/plain; charset=klingon', 'its charset "klingon" is unknown'],
  ['nonsense', '"nonsense" is no content type'],
  [undefined, 'it names no content type'],
])('refuses the content type %s', async (type, why) => {
  const server = await startWebServer((_request, response) => {
    if (type !== undefined) response.setHeader('content-type', type);
    response.end('x');
  });
  const { call } = await openWorkspace({ web: allowed });
  const result = await call('web_fetch', { url: server.url });
  expect(result).toMatchObject({ isError: true, code: 'WEB_UNSUPPORTED_CONTENT_TYPE' });
  expect(result.text).toContain(why);
});

test.each(['iso-2022-kr', 'hz-gb-2312'])('refuses a page that declares itself the charset %s', async (charset) => {
  const server = await startWebServer((_request, response) =>
    page('text/html', Buffer.from(`<meta charset=${charset}><p>x`))(response),
  );
  const { call } = await openWorkspace({ web: allowed });
  const result = await call('web_fetch', { url: server.url });
  expect(result).toMatchObject({ isError: true, code: 'WEB_UNSUPPORTED_CONTENT_TYPE' });
  expect(result.text).toContain('the charset that it declares is not one that can be read');
});

test.each([
  ['', undefined, 'url must be a non-empty string'],
  ['not a url', 'WEB_INVALID_URL', 'is not a URL'],
  ['ftp://example.org/', 'WEB_INVALID_URL', 'only http and https'],
  ['file:///etc/passwd', 'WEB_INVALID_URL', 'only http and https'],
  [`http://example.org/${'a'.repeat(2048)}`, 'WEB_INVALID_URL', '2048 characters'],
  ['http://user:pw@example.org/', 'WEB_BLOCKED_URL', 'user name or password'],
])('refuses the URL %j', async (url, code, why) => {
  const { call } = await openWorkspace();
  const result = await call('web_fetch', { url });
  expect({ code: result.code, isError: result.isError }).toEqual({ code, isError: true });
  expect(result.text).toContain(why);
});

test('a URL that is no string is refused by the schema', async () => {
  const { call } = await openWorkspace();
  expect(await call('web_fetch', { url: 7 })).toMatchObject({ isError: true, code: 'INVALID_ARGS' });
});

test('follows redirects within the origin, five and no more', async () => {
  const server = await startWebServer((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) page('text/plain', 'arrived')(response);
    else redirect(`${left - 1}`, 307)(response);
  });
  const { call } = await openWorkspace({ web: allowed });
  expect((await call('web_fetch', { url: `${server.url}/5` })).text).toBe(
    `Fetched ${server.url}/0 (HTTP 200)\n\narrived`,
  );
  expect(await call('web_fetch', { url: `${server.url}/6` })).toMatchObject({ code: 'WEB_REDIRECT_BLOCKED' });
});

test.each([
  ['another origin', 'http://127.0.0.1:9/', 'WEB_REDIRECT_BLOCKED', 'http://127.0.0.1:9/'],
  ['nowhere', undefined, 'WEB_PROVIDER_ERROR', 'without saying where'],
  ['credentials', 'http://u:p@127.0.0.1/', 'WEB_BLOCKED_URL', 'user name or password'],
  ['another protocol', 'file:///etc/passwd', 'WEB_INVALID_URL', 'only http and https'],
  ['an internal address', 'http://169.254.169.254/latest', 'WEB_BLOCKED_URL', '169.254.169.254'],
])('does not follow a redirect to %s', async (_where, location, code, why) => {
  const server = await startWebServer((_request, response) => redirect(location)(response));
  const { call } = await openWorkspace({ web: allowed });
  const result = await call('web_fetch', { url: server.url });
  expect(result.code).toBe(code);
  expect(result.text).toContain(why);
});

test('a hop beyond the limit that also leaves the origin counts as too many', async () => {
  const server = await startWebServer((request, response) =>
    redirect(request.url === '/5' ? 'http://127.0.0.1:9/' : `/${Number(request.url?.slice(1)) + 1}`)(response),
  );
  const { call } = await openWorkspace({ web: allowed });
  expect((await call('web_fetch', { url: `${server.url}/0` })).text).toContain('redirects more than 5 times');
});

test('cuts a body that never ends at its cap and closes the connection', async () => {
  let sent = 0;
  const server = await startWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const block = Buffer.alloc(65_536, 'x');
    const more = () => {
      while (sent < 100_000_000 && response.write(block)) sent += block.length;
      if (sent >= 100_000_000) response.end();
    };
    response.on('drain', more);
    more();
  });
  const { call } = await openWorkspace({ web: allowed });
  const { text, isError } = await call('web_fetch', { url: server.url }, { settings: unbounded });
  expect({ isError, end: text.slice(-64), length: text.length }).toEqual({
    isError: false,
    end: '(Content truncated. The page is longer than what is shown here.)',
    length: `Fetched ${server.url}/ (HTTP 200)\n\n`.length + 100_000 + 66,
  });
  expect(sent).toBeLessThan(50_000_000);
});

test('a body of exactly the cap is whole, one byte more is cut, and a longer declared one is refused', async () => {
  const size = (request: { url?: string | undefined }) => Number(request.url?.slice(1));
  const server = await startWebServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('x'.repeat(size(request) - 1)); // no length is declared
    response.end('y');
  });
  const { call } = await openWorkspace({ web: { ...allowed, limits: { maxBytes: 1000 } } });
  expect((await call('web_fetch', { url: `${server.url}/1000` })).text).toMatch(/xy$/);
  expect((await call('web_fetch', { url: `${server.url}/1001` })).text).toMatch(/x\n\n\(Content truncated\./);
  const declared = await startWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 1001 }).end('x'.repeat(1001));
  });
  expect(await call('web_fetch', { url: declared.url })).toMatchObject({ code: 'WEB_FETCH_TOO_LARGE' });
});

test('a small body that unpacks to two hundred megabytes is cut while it is unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const server = await startWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb);
  });
  const { call } = await openWorkspace({ web: allowed });
  const before = process.memoryUsage().rss;
  expect((await call('web_fetch', { url: server.url })).isError).toBe(false);
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test('a page that cannot be converted is shown as it was sent', async () => {
  const html = `${'<div>'.repeat(2000)}deep`;
  const server = await startWebServer((_request, response) => page('text/html', html)(response));
  const { call } = await openWorkspace({ web: allowed });
  expect((await call('web_fetch', { url: server.url })).text).toBe(`Fetched ${server.url}/ (HTTP 200)\n\n${html}`);
});

test('a slow page, a spent budget and a cancel are told apart', async () => {
  const server = await startWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('the beginning, and then nothing');
  });
  const slow = await openWorkspace({ web: { ...allowed, limits: { timeoutMs: 100 } } });
  expect(await slow.call('web_fetch', { url: server.url })).toMatchObject({ code: 'WEB_FETCH_TIMEOUT' });
  const { context } = await openWorkspace({ web: allowed });
  const hasty = { ...executeWebFetch, definition: { ...webFetch, timeoutMs: 100 } };
  const args = { url: server.url };
  expect((await runCall({ body: hasty, args, context: context() })).error?.code).toBe('TOOL_TIMEOUT');
  const signal = AbortSignal.timeout(100);
  const result = await runCall({ body: executeWebFetch, args, context: context({ signal }) });
  expect({ code: result.error?.code, text: resultText(result) }).toEqual({
    code: 'ABORTED',
    text: 'Error: tool call aborted',
  });
});

test('a connection that is refused or broken off is an error that says so', async () => {
  const server = await startWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '10' }).write('x');
    setImmediate(() => response.destroy());
  });
  const { call } = await openWorkspace({ web: { allowAddresses: ['127.0.0.0/8'] } });
  expect(await call('web_fetch', { url: server.url })).toMatchObject({ code: 'WEB_PROVIDER_ERROR' });
  const closed = await call('web_fetch', { url: `http://127.0.0.2:${server.port}/` }); // where nobody listens
  expect(closed).toMatchObject({ code: 'WEB_PROVIDER_ERROR' });
  expect(closed.text).toContain('ECONNREFUSED');
});
