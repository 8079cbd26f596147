import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readMcpFile } from './mcp-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'everturn-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: unknown, source: Record<string, string> = {}) {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readMcpFile(path, source);
}

function refusal(content: unknown): string {
  try {
    read(content);
  } catch (error) {
    if (error instanceof ConfigError) return `${error.code} ${error.message.replace(folder, '')}`;
    throw error;
  }
  throw new Error('it was accepted');
}

test('an entry is whole by its defaults, and its values do not show', () => {
  const [local, remote] = read(
    {
      servers: [
        { name: 'local', transport: 'stdio', command: 'serve', env: { MODE: 'x', TOKEN: { fromEnv: 'T' } } },
        {
          name: 'far',
          transport: 'streamable-http',
          url: 'https://u:pw1@h/mcp',
          headers: { Authorization: 'Bearer a' },
        },
      ],
    },
    { T: 'hunter2' },
  );
  expect(JSON.parse(JSON.stringify([local, remote]))).toEqual([
    {
      name: 'local',
      transport: { kind: 'stdio', command: 'serve', args: [], env: { MODE: '[secret]', TOKEN: '[secret]' } },
      secrets: ['[secret]'],
      toolCallTimeoutMs: 60_000,
      failOnStartupError: false,
      reconnect: { enabled: true, initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 10 },
    },
    expect.objectContaining({
      transport: { kind: 'streamable-http', url: '[secret]', headers: { Authorization: '[secret]' } },
    }),
  ]);
  expect(local?.secrets.map((secret) => secret.reveal())).toEqual(['hunter2']);
  expect(remote?.secrets.map((secret) => secret.reveal())).toEqual(['Bearer a', 'pw1']);
});

const stdio = { transport: 'stdio', command: 'serve' };
test.each<[string, unknown, RegExp]>([
  [
    'a reused name',
    {
      servers: [
        { name: 'a', ...stdio },
        { name: 'a', ...stdio },
      ],
    },
    /two servers are named "a"/,
  ],
  ['a name outside the pattern', { servers: [{ name: 'a.b', ...stdio }] }, /use 1 to 32 letters, digits, _ or -/],
  ['a name of 33', { servers: [{ name: 'a'.repeat(33), ...stdio }] }, /servers\[0\]\.name/],
  [
    'a variable that is not set',
    { servers: [{ name: 'a', ...stdio, env: { X: { fromEnv: 'NOPE' } } }] },
    /takes a value from NOPE, which is not set/,
  ],
  ['an unknown key', { servers: [{ name: 'a', ...stdio, colour: 1 }] }, /colour/],
  ['an unknown transport', { servers: [{ name: 'a', transport: 'pigeon' }] }, /transport/],
  ['a timeout of 0', { servers: [{ name: 'a', ...stdio, toolCallTimeoutMs: 0 }] }, /toolCallTimeoutMs/],
  ['what is not JSON', '{"servers": [', /it is not JSON/],
])('%s is refused', (_what, content, message) => {
  expect(refusal(content)).toMatch(/^CONFIG_FILE EVERTURN_MCP_FILE is wrong: /);
  expect(refusal(content)).toMatch(message);
});
