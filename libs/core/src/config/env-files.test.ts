import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workerConfig } from './index.ts';
import { failure, minimal } from './test/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('providers', () => {
  const scripted = {
    id: 'scripted',
    name: 'Scripted (not a model)',
    dialect: 'scripted',
    baseUrl: 'http://127.0.0.1:9',
  };
  const withUrl = { ...minimal, EVERTURN_SCRIPTED_URL: 'http://127.0.0.1:9/' };

  it('answer by script when no key is set, and by the key when one is', () => {
    expect(workerConfig(withUrl).providers).toMatchObject({
      routes: [{ ...scripted, models: [] }],
      default: { provider: 'scripted' },
    });
    const real = workerConfig({ ...withUrl, DEEPSEEK_API_KEY: 'k' }).providers;
    expect(real.routes.map((route) => route.id)).toEqual(['deepseek', 'scripted']);
    expect(real.default).toEqual({ provider: 'deepseek' });
  });

  it('need no key where the endpoint is said to need none', () => {
    const env = { ...minimal, OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1', OPENAI_MODEL: 'qwen3' };
    expect(workerConfig(env).providers.routes).toEqual([
      {
        id: 'openai',
        name: 'OpenAI-compatible',
        dialect: 'openai',
        baseUrl: 'http://127.0.0.1:11434/v1',
        baseUrlFrom: 'OPENAI_BASE_URL',
        models: [{ id: 'qwen3' }],
      },
    ]);
  });

  const file = (content: string) => {
    const path = join(folder, 'providers.json');
    writeFileSync(path, content);
    return { ...minimal, EVERTURN_PROVIDERS_FILE: path };
  };

  it('come from a file, with keys from the variables it names', () => {
    const routes = [
      { id: 'groq', baseUrl: 'https://api.groq.example/v1', apiKeyEnv: 'GROQ_KEY', models: [{ id: 'm' }] },
    ];
    const env = file(JSON.stringify({ routes, default: { provider: 'groq', model: 'm' } }));
    const providers = workerConfig({ ...env, GROQ_KEY: 'hunter2' }).providers;
    expect(providers.default).toEqual({ provider: 'groq', model: 'm' });
    expect(providers.routes[0]?.apiKey?.reveal()).toBe('hunter2');
    expect(failure(() => workerConfig(env)).message).toContain(
      'route groq takes its key from GROQ_KEY, which is not set',
    );
  });

  it('refuse a file that is absent, broken or holds unknown members', () => {
    expect(failure(() => workerConfig({ ...minimal, EVERTURN_PROVIDERS_FILE: join(folder, 'none') })).code).toBe(
      'CONFIG_FILE',
    );
    expect(failure(() => workerConfig(file('{'))).message).toContain('it is not JSON');
    const unknown = { routes: [{ id: 'a', baseUrl: 'http://a', apiKey: 'sk-no' }] };
    expect(failure(() => workerConfig(file(JSON.stringify(unknown)))).message).toContain('"apiKey"');
  });
});

describe('language servers', () => {
  const file = (content: unknown) => {
    const path = join(folder, 'servers.json');
    writeFileSync(path, JSON.stringify(content));
    return { ...minimal, EVERTURN_LANGUAGE_SERVERS_FILE: path };
  };
  const go = { id: 'gopls', command: ['gopls'], languages: { '.go': 'go' } };

  it('come from a file', () => {
    expect(workerConfig(file({ servers: [go] })).languageServers).toEqual([go]);
  });

  it.each([
    ['unknown members', { servers: [{ ...go, argv: [] }] }, '"argv"'],
    ['an extension in capitals', { servers: [{ ...go, languages: { '.GO': 'go' } }] }, 'languages[".GO"]'],
    ['an empty command', { servers: [{ ...go, command: [] }] }, 'command'],
    ['an id twice', { servers: [go, { ...go, languages: { '.mod': 'gomod' } }] }, '"gopls" stands in it twice'],
    ['an extension twice', { servers: [go, { ...go, id: 'other' }] }, '".go" stands in it twice'],
  ])('refuse a file with %s, naming the variable', (_what, content, said) => {
    const { code, message } = failure(() => workerConfig(file(content)));
    expect(code).toBe('CONFIG_FILE');
    expect(message).toContain('EVERTURN_LANGUAGE_SERVERS_FILE is wrong');
    expect(message).toContain(said);
  });
});
