import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProvidersFile, type KeySources } from './providers-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'everturn-providers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(routes: object[], sources: Partial<KeySources> = {}) {
  const path = join(folder, 'providers.json');
  writeFileSync(path, JSON.stringify({ routes }));
  return readProvidersFile(path, { environment: {}, stored: 'none', ...sources }).routes;
}
const at = { baseUrl: 'http://127.0.0.1:9' };

it('speaks chat completions of OpenAI where a route says nothing else', () => {
  expect(read([{ id: 'a', ...at }])).toEqual([{ id: 'a', name: 'a', ...at, dialect: 'openai', models: [] }]);
});

it('knows what each protocol takes, prices and limits', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3 };
  const routes = [
    { id: 'v', ...at, dialect: 'vllm', models: [{ id: 'm', price }], rateLimit: { requestsPerMinute: 50 } },
    { id: 'r', ...at, protocol: 'openai-responses', price },
    { id: 'm', ...at, protocol: 'anthropic-messages', cacheRetention: 'long', thinkingBudgets: { high: 16_000 } },
  ];
  expect(read(routes)).toMatchObject(routes);
});

it.each([
  [{ protocol: 'anthropic-messages', dialect: 'vllm' }, 'dialect'],
  [{ protocol: 'openai-responses', cacheRetention: 'long' }, 'cacheRetention'],
  [{ protocol: 'smoke-signals' }, 'protocol'],
  [{ dialect: 'klingon' }, 'dialect'],
  [{ price: { input: -1, output: 1 } }, 'price.input'],
  [{ rateLimit: { requestsPerMinute: 0 } }, 'rateLimit.requestsPerMinute'],
  [{ protocol: 'anthropic-messages', thinkingBudgets: { high: 10 } }, 'thinkingBudgets'],
  [{ apiKeyEnv: 'not a name' }, 'apiKeyEnv'],
])('refuses %j and names the member', (wrong, named) => {
  expect(() => read([{ id: 'a', ...at, ...wrong }])).toThrow(named);
});

it('takes keys from the variables it names, and where tenants may store theirs, from them', () => {
  const route = { id: 'a', ...at, apiKeyEnv: 'TEAM_KEY' };
  expect(() => read([route])).toThrow('takes its key from TEAM_KEY, which is not set');
  const [stored] = read([route], { stored: 'by-tenant' });
  expect([stored?.credentialRef, stored?.apiKey]).toEqual(['TEAM_KEY', undefined]);
  const [own] = read([route], { stored: 'by-tenant', environment: { TEAM_KEY: 'sk-own' } });
  expect([own?.credentialRef, own?.apiKey?.reveal()]).toEqual(['TEAM_KEY', 'sk-own']);
});
