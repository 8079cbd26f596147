import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLlmError } from '../domain/index.ts';
import type { GenerateOptions, LlmFailure, StreamChunk, TenantId } from '../domain/index.ts';
import type { LlmRegistry } from './registry.ts';
import { llmRegistry } from './routes.ts';
import type { ProviderRoutes, RouteConfig } from './routes.ts';
import { choice, frames } from './openai-chat/testing/chat-provider.ts';
import { collect, rawProvider } from './wire/testing/raw-provider.ts';
import type { RawRequest } from './wire/testing/raw-provider.ts';

const usage = {
  prompt_tokens: 1_000_000,
  completion_tokens: 100_000,
  prompt_tokens_details: { cached_tokens: 900_000 },
};
const spoken = frames(choice({ content: 'x' }, 'stop'), { choices: [], usage }, '[DONE]');

function registryOf(routes: RouteConfig[], more: Partial<ProviderRoutes> = {}): LlmRegistry {
  return llmRegistry({ routes, streamIdleTimeoutMs: 60_000, streamSilenceLimitMs: 60_000, ...more });
}
const chat = (baseUrl: string, more: object = {}): RouteConfig => ({
  id: 'chat',
  name: 'Chat',
  dialect: 'openai',
  baseUrl,
  models: [],
  ...more,
});
const ask = (provider: string, more: Partial<GenerateOptions> = {}): GenerateOptions => ({
  provider,
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  ...more,
});

async function failureOf(run: () => Promise<unknown>): Promise<LlmFailure> {
  try {
    await run();
  } catch (error) {
    if (isLlmError(error)) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}

it('several routes at once speak each their own protocol', async () => {
  await using provider = await rawProvider((response) => void response.writeHead(500).end());
  const registry = registryOf([
    chat(provider.url),
    { id: 'responses', name: 'R', protocol: 'openai-responses', baseUrl: provider.url, models: [] },
    {
      id: 'messages',
      name: 'M',
      protocol: 'anthropic-messages',
      baseUrl: provider.origin,
      models: [],
      apiKey: { reveal: () => 'k' },
    },
  ]);
  for (const { id } of registry.providers())
    expect((await failureOf(() => collect(registry.stream(ask(id))))).code).toBe('SERVER');
  expect(provider.requests.map(({ path, headers }) => [path, headers.authorization ?? headers['x-api-key']])).toEqual([
    ['/v1/chat/completions', undefined],
    ['/v1/responses', undefined],
    ['/v1/messages', 'k'],
  ]);
});

describe('the environment', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('adds nothing to what a route is configured to send', async () => {
    for (const sdk of ['OPENAI', 'ANTHROPIC']) {
      vi.stubEnv(`${sdk}_CUSTOM_HEADERS`, 'x-theirs: secret\nx-ours: overridden\nauthorization: Bearer theirs');
      vi.stubEnv(`${sdk}_API_KEY`, 'sk-theirs');
    }
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'sk-theirs');
    vi.stubEnv('OPENAI_ORG_ID', 'theirs');
    await using provider = await rawProvider((response) => void response.writeHead(500).end());
    const own = { name: 'R', models: [], apiKey: { reveal: () => 'sk-ours' }, headers: { 'x-ours': 'yes' } };
    const registry = registryOf([
      chat(provider.url, own),
      { ...own, id: 'responses', protocol: 'openai-responses', baseUrl: provider.url },
      { ...own, id: 'messages', protocol: 'anthropic-messages', baseUrl: provider.origin },
    ]);
    for (const { id } of registry.providers()) await failureOf(() => collect(registry.stream(ask(id))));
    expect(provider.requests.map(({ headers }) => headers['x-ours'])).toEqual(['yes', 'yes', 'yes']);
    expect(JSON.stringify(provider.requests.map(({ headers }) => headers))).not.toMatch(/theirs|secret|overridden/);
  });
});

describe('prices', () => {
  const usageOf = (chunks: StreamChunk[]) => chunks.flatMap((chunk) => (chunk.type === 'usage' ? [chunk.usage] : []));
  const price = { input: 2, output: 10, cacheRead: 0.2 };

  it('make of counts what a call cost: the model’s own, else its route’s, else none', async () => {
    await using provider = await rawProvider(spoken);
    const counted = { inputTokens: 100_000, outputTokens: 100_000, cacheReadTokens: 900_000 };
    const costs = async (more: object) =>
      usageOf(await collect(registryOf([chat(provider.url, more)]).stream(ask('chat'))));
    expect(await costs({})).toEqual([counted]);
    expect(await costs({ price })).toEqual([{ ...counted, costUsd: 1.38 }]);
    expect(await costs({ price, models: [{ id: 'm', price: { input: 0, output: 0 } }] })).toEqual([
      { ...counted, costUsd: 0 },
    ]);
  });

  it('and limits leave a route the same: what it is to get back is still its own', () => {
    const owner = (more: object) => registryOf([chat('http://127.0.0.1:9/v1', more)]).owner('chat');
    expect(owner({ price, rateLimit: { requestsPerMinute: 1 } })).toBe(owner({}));
    expect(owner({ models: [{ id: 'm', price }] })).toBe(owner({ models: [{ id: 'm' }] }));
    expect(owner({ headers: { a: 'b' } })).not.toBe(owner({}));
  });
});

describe('stored keys', () => {
  const acme = 'acme' as TenantId;
  const keys = new Map([['acme/TEAM_KEY', 'sk-first']]);
  const lookups: string[] = [];
  const credential: ProviderRoutes['credential'] = async ({ tenant, ref }) => {
    lookups.push(`${tenant}/${ref}`);
    const key = keys.get(`${tenant}/${ref}`);
    return key === undefined ? undefined : { reveal: () => key };
  };
  const refuse = (response: ServerResponse, request: RawRequest) =>
    void response.writeHead(401).end(`bad ${request.headers.authorization}`);

  it('are the tenant’s, looked up for each call, and in no error', async () => {
    await using provider = await rawProvider(refuse);
    const registry = registryOf([chat(provider.url, { credentialRef: 'TEAM_KEY' })], { credential });
    const first = await failureOf(() => collect(registry.stream(ask('chat', { tenant: acme }))));
    expect(first.message).toBe('bad Bearer [secret] (HTTP 401)');
    keys.set('acme/TEAM_KEY', 'sk-second');
    await failureOf(() => registry.discover('chat', acme));
    expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-first',
      'Bearer sk-second',
    ]);
    expect(lookups).toEqual(['acme/TEAM_KEY', 'acme/TEAM_KEY']);
  });

  it('that are not there are named, and nothing is sent', async () => {
    await using provider = await rawProvider(refuse);
    const registry = registryOf([chat(provider.url, { credentialRef: 'TEAM_KEY' })], { credential });
    for (const more of [{ tenant: 'other' as TenantId }, {}]) {
      expect(await failureOf(() => collect(registry.stream(ask('chat', more))))).toEqual({
        code: 'MISSING_CREDENTIAL',
        message:
          'provider "chat" has no API key; set the variable TEAM_KEY, or store it with PUT /v1/credentials/TEAM_KEY',
      });
    }
    expect(provider.requests).toEqual([]);
  });

  it('give way to the deployment’s own', async () => {
    await using provider = await rawProvider(spoken);
    const route = chat(provider.url, { credentialRef: 'TEAM_KEY', apiKey: { reveal: () => 'sk-own' } });
    await collect(registryOf([route], { credential }).stream(ask('chat', { tenant: acme })));
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer sk-own');
  });

  it('have an allowance of their own', () => {
    const limit = (more: object) =>
      registryOf([chat('http://127.0.0.1:9/v1', { rateLimit: { requestsPerMinute: 5 }, ...more })]).limit('chat');
    expect(limit({})).toEqual({ requestsPerMinute: 5, per: 'deployment' });
    expect(limit({ credentialRef: 'K' })).toEqual({ requestsPerMinute: 5, per: 'tenant' });
    expect(limit({ credentialRef: 'K', apiKey: { reveal: () => 'k' } })?.per).toBe('deployment');
    expect(registryOf([chat('http://127.0.0.1:9/v1')]).limit('chat')).toBeUndefined();
  });
});

it.each([
  ['vllm', { max_model_len: 8192 }, 8192],
  ['llamacpp', { meta: { n_ctx: 4096, n_ctx_train: 131_072 } }, 4096],
  ['openai', { context_length: 32_768 }, 32_768],
] as const)(
  'a list of models of %s tells what they hold, and configuration goes first',
  async (dialect, said, window) => {
    await using provider = await rawProvider((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'list',
          data: [
            { id: 'm', object: 'model', ...said },
            { id: 'silent', max_model_len: 0 },
          ],
        }),
      );
    });
    const registry = registryOf([chat(provider.url, { dialect, models: [{ id: 'known', contextWindow: 9 }] })]);
    expect(await registry.discover('chat')).toEqual(['m', 'silent'].map((id) => ({ provider: 'chat', id, name: id })));
    expect(provider.requests[0]?.path).toBe('/v1/models');
    expect(registry.context({ provider: 'chat', model: 'm' })).toEqual({ contextWindow: window });
    expect(registry.context({ provider: 'chat', model: 'known' })).toEqual({ contextWindow: 9 });
    expect(() => registry.context({ provider: 'chat', model: 'silent' })).toThrow('is unknown; configure it');
  },
);
