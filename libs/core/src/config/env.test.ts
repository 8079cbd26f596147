import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { apiConfig, cliConfig, cliConfigWith, scriptedConfig, Secret, workerConfig } from './index.ts';
import { failure, minimal } from './test/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a persona is a file, and an order of tools a list', () => {
  writeFileSync(join(folder, 'persona.md'), 'You are terse.');
  const { persona, toolOrder } = workerConfig({
    ...minimal,
    EVERTURN_PERSONA_FILE: join(folder, 'persona.md'),
    EVERTURN_TOOL_ORDER: 'read, <unlisted-tools>,bash',
  });
  expect([persona, toolOrder]).toEqual(['You are terse.', ['read', '<unlisted-tools>', 'bash']]);
  expect(() => workerConfig({ ...minimal, EVERTURN_PERSONA_FILE: join(folder, 'gone') })).toThrow(
    /EVERTURN_PERSONA_FILE is wrong: .*cannot be read/,
  );
});

describe('titles', () => {
  it('may be asked of one model', () => {
    const route = { ...minimal, EVERTURN_TITLES: 'first-prompt', EVERTURN_TITLE_MODEL: 'openai/gpt/mini' };
    expect(workerConfig(route).titles).toEqual({
      cadence: 'first-prompt',
      route: { provider: 'openai', model: 'gpt/mini' },
    });
    expect(() => workerConfig({ ...minimal, EVERTURN_TITLE_MODEL: 'gpt' })).toThrow('<provider>/<model>');
  });
});

describe('defaults', () => {
  it('are whole for a worker', () => {
    expect(JSON.parse(JSON.stringify(workerConfig(minimal)))).toEqual({
      checkRequests: false,
      instructionsBytes: 65_536,
      skills: [],
      dataDir: '.everturn',
      listenerTimeoutMs: 600_000,
      workspaceRoots: [],
      permissionMode: 'workspace-write',
      logLevel: 'info',
      shutdownGraceMs: 30_000,
      database: { url: '[secret]' },
      temporal: { address: '127.0.0.1:17233', namespace: 'everturn', tls: 'off', taskQueue: 'everturn' },
      providers: { compaction: {}, routes: [], streamIdleTimeoutMs: 300_000, streamSilenceLimitMs: 600_000 },
      web: {
        fetch: 'on',
        search: 'on',
        allowAddresses: [],
        searchMaxQueries: 4,
        deepseek: { baseUrl: 'https://api.deepseek.com/anthropic/v1' },
        exa: { baseUrl: 'https://api.exa.ai' },
        perplexity: { baseUrl: 'https://api.perplexity.ai' },
      },
      languageServers: [],
      jobs: { background: 'on', delivery: 'wakeup' },
      retry: {},
      stepIsolation: 'child',
      sandbox: { network: 'full', limits: {} },
      plugins: [],
      plan: { enforcement: 'prompt', prompt: expect.stringMatching(/^Plan mode is on\./) },
      spill: 'local',
      titles: { cadence: 'off' },
      toolsMode: 'native',
      toolsets: [],
      mcpServers: [],
      secretsKeys: [],
      webhooks: { allowAddresses: [], retry: { firstMs: 5_000, mostMs: 3_600_000, forMs: 86_400_000 } },
    });
  });

  it('know keys for secrets, the newest first, and show none', () => {
    const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const { secretsKeys } = workerConfig({ ...minimal, EVERTURN_SECRETS_KEY: keys.join(', ') });
    expect(secretsKeys.map((key) => key.reveal())).toEqual(keys);
    expect(JSON.stringify(secretsKeys)).toBe('["[secret]","[secret]"]');
  });

  it('of the web give way one by one, keys hidden', () => {
    const env = {
      EVERTURN_WEB_ALLOW_ADDRESSES: '10.0.0.0/8, ::1',
      EVERTURN_WEB_SEARCH_PROVIDER: 'exa',
      SEARXNG_URL: 'http://127.0.0.1:8888/',
      EXA_API_KEY: 'exa-key-1',
    };
    expect(JSON.parse(JSON.stringify(workerConfig({ ...minimal, ...env }).web))).toMatchObject({
      allowAddresses: ['10.0.0.0/8', '::1'],
      searchProvider: 'exa',
      searxngUrl: 'http://127.0.0.1:8888',
      exa: { apiKey: '[secret]' },
    });
  });

  it('name shipped dependencies by absolute paths only', () => {
    const env = {
      EVERTURN_WORKSPACE_DEPENDENCIES: '/opt/runtime',
      EVERTURN_WORKSPACE_DEPENDENCIES_ROOT: '/var/copies',
    };
    expect(workerConfig({ ...minimal, ...env }).dependencies).toEqual({ source: '/opt/runtime', root: '/var/copies' });
    expect(() => workerConfig({ ...minimal, EVERTURN_WORKSPACE_DEPENDENCIES: 'runtime' })).toThrow(
      'EVERTURN_WORKSPACE_DEPENDENCIES',
    );
  });

  it('of the sandbox give way one by one', () => {
    const env = {
      EVERTURN_SANDBOX_NETWORK: 'none',
      EVERTURN_SANDBOX_PROCESSES: '64',
      EVERTURN_BUBBLEWRAP: '/opt/bwrap',
    };
    expect(workerConfig({ ...minimal, ...env }).sandbox).toEqual({
      bubblewrap: '/opt/bwrap',
      network: 'none',
      limits: { processes: 64 },
    });
  });

  it("of the operator's own runner go together", () => {
    const own = { EVERTURN_SANDBOX_RUNNER: '["/opt/cell","--quiet"]', EVERTURN_SANDBOX_RUNNER_FAILURES: '["cell: "]' };
    expect(workerConfig({ ...minimal, ...own }).sandbox.runnerCommand).toEqual({
      argv: ['/opt/cell', '--quiet'],
      failureSignatures: ['cell: '],
    });
    for (const [name, value] of Object.entries(own))
      expect(() => workerConfig({ ...minimal, [name]: value })).toThrow(
        /^EVERTURN_SANDBOX_RUNNER\w* is not set: it goes/,
      );
  });

  it('of retries give way one by one', () => {
    const env = { EVERTURN_RETRY_LIMIT: '0', EVERTURN_RETRY_MAX_DELAY_MS: '60000' };
    expect(workerConfig({ ...minimal, ...env }).retry).toEqual({ maxTransientRetries: 0, maxDelayMs: 60_000 });
  });

  it('are whole for the API, the command line and the scripted server', () => {
    const { host, port } = apiConfig(minimal);
    expect({ host, port }).toEqual({ host: '127.0.0.1', port: 18_080 });
    expect(cliConfig({})).toMatchObject({ apiUrl: 'http://127.0.0.1:18080' });
    expect(scriptedConfig({})).toEqual({ port: 0 });
  });

  it('give way to the environment where a caller brings them', () => {
    const given = { EVERTURN_API_URL: 'http://127.0.0.1:9', TEMPORAL_ADDRESS: '127.0.0.1:8', PATH: 'not this' };
    expect(cliConfigWith(given)).toMatchObject({ apiUrl: 'http://127.0.0.1:9', temporal: { address: '127.0.0.1:8' } });
    vi.stubEnv('EVERTURN_API_URL', 'http://127.0.0.1:7');
    expect(cliConfigWith(given).apiUrl).toBe('http://127.0.0.1:7');
    vi.unstubAllEnvs();
  });

  it('take a blank variable for one that is not set', () => {
    expect(apiConfig({ ...minimal, EVERTURN_API_PORT: ' ', EVERTURN_HOST_ID: '' }).port).toBe(18_080);
  });
});

describe('bad variables', () => {
  it('are named, all of them, with what to do', () => {
    expect(failure(() => apiConfig({ EVERTURN_API_PORT: '99999', EVERTURN_LOG_LEVEL: 'loud' }))).toEqual({
      code: 'CONFIG_INVALID',
      message: [
        'DATABASE_URL is not set: set it to a connection string such as postgres://user:password@127.0.0.1:15432/everturn',
        'TEMPORAL_ADDRESS is not set: set it to the host:port of a Temporal frontend, such as 127.0.0.1:17233',
        'EVERTURN_LOG_LEVEL is wrong: set it to trace, debug, info, warn, error, fatal or silent',
        'EVERTURN_API_PORT is wrong: set it to the port of the API (0 = any free one), a whole number from 0 to 65535',
      ].join('\n'),
    });
  });

  it.each([
    ['TEMPORAL_ADDRESS', 'http://x'],
    ['TEMPORAL_TLS', 'maybe'],
    ['EVERTURN_SANDBOX_RUNNER', '/opt/cell'],
    ['EVERTURN_SANDBOX_RUNNER', '[]'],
    ['EVERTURN_SANDBOX_RUNNER_FAILURES', '[" "]'],
    ['EVERTURN_SANDBOX_RUNNER_FAILURES', '["a\\nb"]'],
    ['OPENAI_BASE_URL', 'localhost:11434'],
    ['EVERTURN_WORKSPACE_ROOTS', 'relative/folder'],
    ['EVERTURN_STEP_ISOLATION', 'thread'],
    ['EVERTURN_RETRY_LIMIT', '-1'],
    ['EVERTURN_WEB_ALLOW_ADDRESSES', '127.0.0.1,localhost'],
    ['EVERTURN_WEB_SEARCH_PROVIDER', 'bing'],
    ['EVERTURN_WEB_SEARCH_MAX_QUERIES', '0'],
    ['EVERTURN_WEB_SEARCH_MAX_QUERIES', '-1'],
    ['EVERTURN_WEB_SEARCH_MAX_QUERIES', '1.5'],
    ['EVERTURN_SHUTDOWN_GRACE_MS', '2147483648'],
    ['EVERTURN_STREAM_IDLE_TIMEOUT_MS', '-1'],
    ['EVERTURN_HOST_ID', 'a b'],
    ['EVERTURN_SECRETS_KEY', 'c2hvcnQ='],
    ['EVERTURN_PWSH_PATH', 'pwsh'],
    ['EVERTURN_BROWSER_ADDRESS', 'localhost:9222'],
    ['DATABASE_DIRECT_URL', 'mysql://u:p@h/d'],
  ])('%s=%s is refused', (name, value) => {
    const { message } = failure(() => workerConfig({ ...minimal, [name]: value }));
    expect(message.startsWith(`${name} is wrong: `)).toBe(true);
  });

  it('never appear with their value', () => {
    const { message } = failure(() => workerConfig({ ...minimal, DATABASE_URL: 'mysql://u:hunter2@h' }));
    expect(message).not.toContain('hunter2');
  });
});

describe('secrets', () => {
  it('show as [secret] and open only by reveal', () => {
    const secret = new Secret('hunter2');
    expect([String(secret), JSON.stringify({ secret }), inspect({ secret })]).toEqual([
      '[secret]',
      '{"secret":"[secret]"}',
      '{ secret: [secret] }',
    ]);
    expect(secret.reveal()).toBe('hunter2');
  });

  it('hide in the whole configuration of a worker', () => {
    const config = workerConfig({
      ...minimal,
      OPENAI_API_KEY: 'hunter2',
      DEEPSEEK_API_KEY: 'hunter2',
      TEMPORAL_API_KEY: 'hunter2',
      DATABASE_DIRECT_URL: 'postgres://u:hunter2@127.0.0.1:2/d',
    });
    expect(inspect(config, { depth: 9, showHidden: true }) + JSON.stringify(config)).not.toContain('hunter2');
    expect(config.temporal.tls).toBe('on');
    expect(config.database.directUrl?.reveal()).toBe('postgres://u:hunter2@127.0.0.1:2/d');
  });
});

it('is frozen all the way down', () => {
  const config = workerConfig({ ...minimal, EVERTURN_WORKSPACE_ROOTS: '/a:/b' });
  expect(config.workspaceRoots).toEqual(['/a', '/b']);
  expect(() => config.workspaceRoots.push('/c')).toThrow(TypeError);
  expect(() => Object.assign(config.providers, { streamIdleTimeoutMs: 1 })).toThrow(TypeError);
});
