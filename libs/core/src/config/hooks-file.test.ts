import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHooksFile } from './hooks-file.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'everturn-config-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(content: unknown, environment: Record<string, string> = {}) {
  const path = join(folder, 'hooks.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readHooksFile(path, environment);
}
function refusal(content: unknown, environment?: Record<string, string>): string {
  try {
    read(content, environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

const command = (more: object = {}) => ({ type: 'command', command: 'true', ...more });

test('what settings of both products hold is read, and what is not run is named', () => {
  const { commands, skipped, pluginRoot } = read({
    claude: {
      hooks: {
        PreToolUse: [
          { matcher: 'bash', hooks: [command({ timeout: 5, statusMessage: 'x' }), { type: 'prompt', prompt: 'p' }] },
        ],
        SubagentStop: [{ hooks: [command()] }],
      },
    },
    codex: { hooks: { Stop: [{ hooks: [command({ timeoutSec: 2 }), command({ async: true })] }] } },
  });
  const common = { command: 'true' };
  expect(commands).toEqual([
    { ...common, dialect: 'claude', event: 'PreToolUse', position: '0.0', matcher: 'bash', timeoutMs: 5_000 },
    { ...common, dialect: 'claude', event: 'SubagentStop', position: '0.0', timeoutMs: 600_000 },
    { ...common, dialect: 'codex', event: 'Stop', position: '0.0', timeoutMs: 2_000 },
  ]);
  expect(skipped).toEqual(['claude.hooks.PreToolUse.0.hooks.1: prompt', 'codex.hooks.Stop.0.hooks.1: async']);
  expect(pluginRoot).toBe(folder);
});

test('a service is named with the variable that holds its secret, which is never shown', () => {
  const http = [{ url: 'https://hooks.example/x', secretEnv: 'HOOK', events: ['PreToolUse'], timeout: 1.5 }];
  const config = read({ http }, { HOOK: 'hush' });
  expect(config.http[0]).toMatchObject({ position: '0', timeoutMs: 1_500, onFailure: 'fail' });
  expect(config.http[0]?.secret.reveal()).toBe('hush');
  expect(JSON.stringify(config)).not.toContain('hush');
});

test.each<[unknown, RegExp]>([
  ['{', /it is not JSON/],
  [{ claude: { hooks: { PreTool: [] } } }, /Unrecognized key: "PreTool"[^]*claude\.hooks/],
  [{ codex: { hooks: { SubagentStop: [] } } }, /Unrecognized key: "SubagentStop"/],
  [
    { claude: { hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } } },
    /claude\.hooks\.Stop\.0\.hooks\.0\.command is missing/,
  ],
  [
    { claude: { hooks: { Stop: [{ hooks: [command({ timeout: 0 })] }] } } },
    /claude\.hooks\.Stop\[0\]\.hooks\[0\]\.timeout/,
  ],
  [{ http: [{ url: 'ftp://x', secretEnv: 'HOOK', events: ['Stop'] }] }, /http\[0\]\.url/],
  [
    { http: [{ url: 'http://x', secretEnv: 'NONE', events: ['Stop'] }] },
    /http\.0\.secretEnv names NONE, which is not set/,
  ],
  [{ http: [{ url: 'http://x', secretEnv: 'HOOK', events: [] }] }, /http\[0\]\.events/],
  [
    { http: [{ url: 'http://x', secretEnv: 'HOOK', events: ['Stop'], matcher: '(' }] },
    /http\.0\.matcher is no regular expression/,
  ],
  [{ http: [{ url: 'http://a:hush@x', secretEnv: 'HOOK', events: ['Stop'] }] }, /http\.0\.url must hold no password/],
])('%j is refused, naming the field', (content, why) => {
  const message = refusal(content, { HOOK: 'hush' });
  expect(message).toMatch(why);
  expect(message).toMatch(/^EVERTURN_HOOKS_FILE is wrong: /);
  expect(message).not.toContain('hush');
});
