import { Secret } from '@everturn/core/config';
import { expect, test } from 'vitest';
import { json, startSearchServer } from '../../test/web-server.ts';
import { openWorkspace } from '../../test/workspace.ts';
import { announcementsOf, runCall, type WebPort } from '../kit/index.ts';
import { executeWebSearch } from './execute.ts';
import { webSearch, webSearchFor } from './schema.ts';

// No search engine is reachable where these tests run: a scripted server speaks each provider's real HTTP instead.

const queryOf = (url: string): string => new URL(url, 'http://x').searchParams.get('q') ?? '';
const hits = (...names: string[]) => names.map((name) => ({ url: `https://${name}.org/`, title: name, content: '' }));
const announcing = (web: WebPort) => (queries: string[]) =>
  announcementsOf(webSearchFor(4, web), JSON.stringify({ queries }));
const REMINDER = /\n\nCite the URLs you use/;

test('SearXNG: asks for JSON and shows what it found', async () => {
  const server = await startSearchServer((_asked, response) =>
    json(response, {
      query: 'q',
      answers: [{ answer: '42', url: 'https://x' }],
      results: [{ url: 'https://a.org/', title: 'A', content: 'about a', publishedDate: '2026-02-01T00:00:00' }],
    }),
  );
  const { call } = await openWorkspace({ web: { searxngUrl: server.url } });
  const { text } = await call('web_search', { queries: ['what & why?'] });
  expect(text.split(REMINDER)[0]).toBe('42\n\nSources:\n- [A](https://a.org/) — about a (2026-02-01T00:00:00)');
  expect(server.asked.map(({ method, url }) => [method, url])).toEqual([
    ['GET', '/search?q=what+%26+why%3F&format=json'],
  ]);
});

test('Exa: sends key and request as documented, drops what has no passage', async () => {
  const server = await startSearchServer((_asked, response) =>
    json(response, {
      results: [
        { url: 'https://a.org/', title: 'A', publishedDate: '2026', highlights: ['the passage', 'another'] },
        { url: 'https://b.org/', title: 'B', highlights: [] },
      ],
    }),
  );
  const { call } = await openWorkspace({ web: { exa: { baseUrl: server.url, apiKey: new Secret('exa-key-1') } } });
  const { text } = await call('web_search', { queries: ['q'] });
  expect(text.split(REMINDER)[0]).toBe('Sources:\n- [A](https://a.org/) — the passage (2026)');
  const [asked] = server.asked;
  expect({ method: asked?.method, url: asked?.url, key: asked?.headers['x-api-key'], body: asked?.body }).toEqual({
    method: 'POST',
    url: '/search',
    key: 'exa-key-1',
    body: { query: 'q', type: 'auto', numResults: 8, contents: { highlights: { highlightsPerUrl: 1 } } },
  });
});

test('Perplexity: its answer, and results rather than citations', async () => {
  const choices = [{ message: { content: 'So it is [1].' } }];
  const answers = [
    { choices, citations: ['https://c.org/'], search_results: [{ url: 'https://a.org/', title: 'A', date: 'May' }] },
    { choices, citations: ['https://c.org/'] },
  ];
  const server = await startSearchServer((_asked, response) => json(response, answers[server.asked.length - 1]));
  const { call } = await openWorkspace({
    web: { perplexity: { baseUrl: server.url, apiKey: new Secret('pp-key-1') } },
  });
  const first = await call('web_search', { queries: ['q'] });
  const second = await call('web_search', { queries: ['q'] });
  expect([first, second].map(({ text }) => text.split(REMINDER)[0])).toEqual([
    'So it is [1].\n\nSources:\n- [A](https://a.org/) — (May)',
    'So it is [1].\n\nSources:\n- [c.org](https://c.org/)',
  ]);
  expect(server.asked[0]?.headers.authorization).toBe('Bearer pp-key-1');
  expect(server.asked[0]?.body).toEqual({
    model: 'sonar',
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'q' }],
  });
});

test('DeepSeek: its model searches; the answer, what it found, and the request for the log', async () => {
  const found = (url: string, title: string) => ({ type: 'web_search_result', url, title, page_age: 'May' });
  const cited = { type: 'web_search_result_location', url: 'https://a.org/', cited_text: 'it is so' };
  const answers = [
    {
      content: [
        { type: 'server_tool_use', id: '1', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: '1', content: [found('https://a.org/', 'A')] },
        { type: 'text', text: 'So ', citations: null },
        { type: 'text', text: 'it is.', citations: [cited] },
      ],
    },
    { content: [{ type: 'text', text: 'I just know.' }] },
    {
      content: [{ type: 'web_search_tool_result', content: { type: 'web_search_tool_result_error', error_code: 'x' } }],
    },
  ];
  const server = await startSearchServer((_asked, response) => json(response, answers[server.asked.length - 1]));
  const web = { deepseek: { baseUrl: server.url, apiKey: new Secret('ds-key-1') } };
  const { context } = await openWorkspace({ web });
  const search = () => runCall({ body: executeWebSearch, args: { queries: ['q'] }, context: context() });
  const first = await search();
  const said = first.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  expect(said.split(REMINDER)[0]).toBe('So it is.\n\nSources:\n- [A](https://a.org/) — it is so (May)');
  const body = {
    model: 'deepseek-v4-flash',
    max_tokens: 4096,
    messages: [{ role: 'user', content: 'q' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
  };
  const [asked] = server.asked;
  const { 'x-api-key': key, 'anthropic-version': version } = asked?.headers ?? {};
  expect([asked?.url, key, version, asked?.body]).toEqual(['/messages', 'ds-key-1', '2023-06-01', body]);
  expect(first.events).toBeUndefined();
  // The log has it before, whatever becomes of the call.
  const told = announcing(context().ports.web);
  const data = { endpoint: `${server.url}/messages`, apiVersion: '2023-06-01', body };
  expect(told(['q', 'q'])).toEqual([{ type: 'web/deepseek-search-llm-request', data }]);
  expect(told(['q', 'r'])).toMatchObject([{ data }, { data: { body: { messages: [{ content: 'r' }] } } }]);
  expect([told([]), told(['q', ' '])]).toEqual([[], []]);
  for (const why of ['without a search', 'failed: x']) {
    const { error, content } = await search();
    expect([error?.code, JSON.stringify(content)]).toEqual(['WEB_PROVIDER_ERROR', expect.stringContaining(why)]);
  }
});

test('several queries run at once, the same one once, and share eight sources', async () => {
  const waiting: (() => void)[] = [];
  const server = await startSearchServer(({ url }, response) => {
    const query = queryOf(url);
    const names = [1, 2, 3, 4, 5].map((rank) => `${query}${rank}`);
    waiting.push(() => json(response, { results: hits(...names) }));
    if (waiting.length === 2) for (const answer of waiting) answer(); // only together: they must overlap
  });
  const { call } = await openWorkspace({ web: { searxngUrl: server.url } });
  const { text } = await call('web_search', { queries: ['a', 'b', 'a'] });
  expect(text.match(/\[\w+\]/g)?.slice(0, 8)).toEqual(['[a1]', '[b1]', '[a2]', '[b2]', '[a3]', '[b3]', '[a4]', '[b4]']);
  expect(text).toContain('(Showing the first 8 sources.');
  expect(server.asked.length).toBe(2);
});

test('the first failure ends the other queries and is what the call reports', async () => {
  let closed = 0;
  const server = await startSearchServer((_asked, response) => {
    response.on('close', () => (closed += 1));
    if (server.asked.length === 2) json(response, { error: 'no' }, 500); // the other one never gets an answer
  });
  const { call } = await openWorkspace({ web: { searxngUrl: server.url } });
  const result = await call('web_search', { queries: ['slow', 'bad'] });
  expect(result).toMatchObject({ isError: true, code: 'WEB_PROVIDER_ERROR' });
  expect(result.text).toContain('SearXNG failed: it answers 500: {"error":"no"}');
  await expect.poll(() => closed).toBe(2);
});

test.each([
  [{ queries: [] }, 'Error: queries must contain at least one query', undefined],
  [{ queries: ['1', '2', '3', '4', '5'] }, 'Error: queries must contain at most 4 queries', undefined],
  [{ queries: ['ok', ' '] }, 'Error: each query must be a non-empty string', undefined],
  [{ queries: [123] }, 'Error: invalid arguments: "queries[0]" must be a string', 'INVALID_ARGS'],
  [{}, 'Error: invalid arguments: missing required property "queries"', 'INVALID_ARGS'],
])('refuses %j without asking anybody', async (args, text, code) => {
  const server = await startSearchServer((_asked, response) => json(response, { results: [] }));
  const { call } = await openWorkspace({ web: { searxngUrl: server.url } });
  expect(await call('web_search', args)).toEqual({ text, isError: true, ...(code !== undefined && { code }) });
  expect(server.asked).toEqual([]);
});

test.each([
  ['a redirect, which could carry the key away', 302, { location: 'http://127.0.0.1:9/' }, '', 'it answers 302'],
  ['an error that repeats the key', 401, {}, 'bad key exa-key-1', 'it answers 401: bad key [secret]'],
  ['a page instead of JSON', 200, {}, '<html>login</html>', 'its answer is not JSON: <html>login</html>'],
  ['JSON of another kind', 200, {}, '{"data":[]}', 'its answer is not understood (results:'],
])('%s is a failure of the provider', async (_what, status, headers, body, said) => {
  const server = await startSearchServer((_asked, response) => void response.writeHead(status, headers).end(body));
  const { call } = await openWorkspace({ web: { exa: { baseUrl: server.url, apiKey: new Secret('exa-key-1') } } });
  const result = await call('web_search', { queries: ['q'] });
  expect(result.code).toBe('WEB_PROVIDER_ERROR');
  expect(result.text).toContain(said);
  expect(result.text).not.toContain('exa-key-1');
  expect(server.asked.length).toBe(1);
});

test.each([
  [{}, 'WEB_PROVIDER_UNAVAILABLE', 'deepseek, exa, perplexity, searxng'],
  [{ searchProvider: 'bing' }, 'WEB_PROVIDER_CONFIGURED_MISSING', '"bing"'],
  [{ searchProvider: 'searxng' }, 'WEB_PROVIDER_CONFIGURED_UNAVAILABLE', 'SEARXNG_URL'],
  [{ searchProvider: 'exa' }, 'WEB_PROVIDER_CREDENTIAL_MISSING', 'EXA_API_KEY'],
])('where the deployment says %j the tool stays and its calls say what is missing', async (web, code, said) => {
  const { call, context } = await openWorkspace({ web });
  const result = await call('web_search', { queries: ['q'] });
  expect(announcing(context().ports.web)(['q'])).toEqual([]);
  expect(result.code).toBe(code);
  expect(result.text).toContain(said);
});

test('a spent budget and a cancel are told apart', async () => {
  const server = await startSearchServer(() => undefined);
  const { context } = await openWorkspace({ web: { searxngUrl: server.url } });
  const args = { queries: ['a', 'b'] };
  const hasty = { ...executeWebSearch, definition: { ...webSearch, timeoutMs: 100 } };
  expect((await runCall({ body: hasty, args, context: context() })).error?.code).toBe('TOOL_TIMEOUT');
  const cancelled = context({ signal: AbortSignal.timeout(100) });
  expect((await runCall({ body: executeWebSearch, args, context: cancelled })).error?.code).toBe('ABORTED');
});

test('the model is told how many queries the deployment allows', () => {
  expect(webSearchFor(7).parameters.properties.queries.description).toMatch(/^1 to 7 different queries/);
  expect(webSearch.timeoutMs).toBe(60_000);
});
