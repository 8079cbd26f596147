import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { startCli } from './run-cli.ts';
import { startScriptedApi, type ScriptedApi } from './scripted-api.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'everturn-cli-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

let api: ScriptedApi;
beforeEach(async () => void (api = await startScriptedApi()));
afterEach(() => api.close());

const cli = (args: string[], env: Record<string, string | undefined> = {}) =>
  startCli(args, { EVERTURN_API_URL: api.url, EVERTURN_API_KEY: 'evt_key', EVERTURN_DATA_DIR: dataDir, ...env });
const until = (what: string, condition: () => boolean) => waitFor(condition, { what });
const following = () => until('a follower', () => api.requests.some(({ route }) => route.endsWith('/events')));
const created = () =>
  api.requests.find(({ route }) => route === 'POST /v1/sessions')?.body as { id: string; workspace: string };

const at = { turn: 1, step: 1 };
function begin(): void {
  api.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } });
  api.append('step/start', at);
  api.append('request/header', { header: { config: { provider: 'scripted', model: 'm' } }, reason: 'initial' });
}
const say = (text: string) => api.append('assistant/chunk', { ...at, chunk: { type: 'text-delta', index: 0, text } });
function end(reason: object): void {
  api.append('step/end', at);
  api.append('turn/end', { turn: 1, reason });
}

describe('run', () => {
  test('streams, survives a lost connection, and ends with what changed', async () => {
    const running = cli(['run', '--demo']);
    await following();
    begin();
    say('Hel');
    await until('the first piece', () => running.stdout().includes('Hel'));
    api.drop();
    say('lo.\u001b[2J');
    await until('the second piece', () => running.stdout().includes('Hello.␛[2J'));
    const { workspace, id } = created();
    writeFileSync(join(workspace, 'REPORT.md'), 'fine\n');
    end({ kind: 'completed' });
    const { status, stdout, stderr } = await running.ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    expect(workspace).toBe(join(dataDir, 'workspaces', id));
    expect(existsSync(join(workspace, 'src/invoice.ts'))).toBe(true);
    for (const line of [
      '          no AI: a local HTTP server that answers from a script; tools, files and tests are real',
      '  result     completed',
      '  work       1 step, 0 tool calls, 6 ms',
      '  tokens     0 in, 0 out',
      '  files      1 added',
      '    A REPORT.md  +1 −0',
      `  workspace  ${workspace}`,
      `  Temporal   http://ui/namespaces/n/workflows/session%3A${id}`,
      '    OPENAI_BASE_URL=… OPENAI_API_KEY=… npm run up -- "your prompt"',
    ]) {
      expect(stdout.split('\n')).toContain(line);
    }
  });

  test('the exit status tells how the turn ended, and --json all of it', async () => {
    const running = cli(['run', 'do it', '--json']);
    await following();
    begin();
    const reason = { kind: 'error', step: 1, message: 'boom', code: 'X' };
    end(reason);
    const { status, stdout } = await running.ended;
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ session: created().id, turn: 1, reason, steps: 1, files: [] });
  });

  test('Ctrl-C cancels the turn, shows its end and exits 130', async () => {
    const running = cli(['run', 'do it']);
    await following();
    begin();
    say('thinking');
    await until('the text', () => running.stdout().includes('thinking'));
    running.signal('SIGINT');
    await until('the cancel', () => api.requests.some(({ route }) => route.endsWith('/cancel')));
    end({ kind: 'aborted' });
    const { status, stdout } = await running.ended;
    expect(status).toBe(130);
    expect(stdout).toContain('thinking\n  ! cancelling the turn; Ctrl-C again leaves at once\n');
    expect(stdout).toContain('  result     cancelled\n');
  });

  test('the second Ctrl-C leaves at once', async () => {
    const running = cli(['run', 'do it']);
    await following();
    running.signal('SIGINT');
    await until('the notice', () => running.stdout().includes('cancelling'));
    await until('the end', () => {
      running.signal('SIGINT');
      return running.hasEnded();
    });
    expect((await running.ended).status).toBe(130);
  });

  test('one Ctrl-C that arrives three times, as it does under npm, is one', async () => {
    const running = cli(['run', 'do it']);
    await following();
    begin();
    say('thinking');
    await until('the text', () => running.stdout().includes('thinking'));
    for (let times = 0; times < 3; times += 1) running.signal('SIGINT');
    await until('the cancel', () => api.requests.some(({ route }) => route.endsWith('/cancel')));
    running.signal('SIGINT');
    end({ kind: 'aborted' });
    expect((await running.ended).stdout).toContain('  result     cancelled\n');
  });
});

test('a refusal of the API is told in one inert line', async () => {
  const { status, stderr } = await cli(['run', 'x', '--model', 'nope']).ended;
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'everturn: UNKNOWN_MODEL: body.model: ␛[2J no such model\n',
  });
});

test('an API that is not there is named at once, with the remedy', async () => {
  const { status, stderr } = await cli(['session', 'show', 'x', '--debug'], { EVERTURN_API_URL: 'http://127.0.0.1:9' })
    .ended;
  const [line, ...stack] = stderr.split('\n');
  expect([status, line]).toEqual([
    1,
    expect.stringMatching(
      /^everturn: CLI_UNREACHABLE: no API answers at http:\/\/127\.0\.0\.1:9 \(.+\) → start everything with `npm run up`, or set EVERTURN_API_URL$/,
    ),
  ]);
  expect(stack.join('\n')).toContain('api-client.ts');
});

test('settings come from the running stack where the environment has none', async () => {
  writeFileSync(join(dataDir, 'state.json'), JSON.stringify({ environment: { EVERTURN_API_URL: api.url } }));
  writeFileSync(join(dataDir, 'api-key'), 'evt_kept\n');
  const running = cli(['run', 'x', '--json'], { EVERTURN_API_URL: undefined, EVERTURN_API_KEY: undefined });
  await following();
  begin();
  end({ kind: 'completed' });
  expect((await running.ended).status).toBe(0);
  expect(readdirSync(join(dataDir, 'workspaces'))).toContain(created().id);
});
