import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRecordingServer, workspaceRoot, waitFor, type RecordingServer } from '@everturn/core/testing';
import type { RequestView } from '@everturn/core/providers';
import { expectSound } from './support/expect-sound.ts';
import { callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

const PROGRAM = join(workspaceRoot, 'libs/tools/test/mcp/scripted-server.ts');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-mcp-e2e-')));
const journal = join(folder, 'journal');
let stack: Stack;
let searches: RecordingServer;

beforeAll(async () => {
  const server = (name: string, mode: string) => ({
    name,
    transport: 'stdio',
    command: process.execPath,
    args: [PROGRAM, mode, ...(mode === 'plain' ? [journal] : [])],
    env: { MY_TOKEN: { fromEnv: 'X_MCP_SECRET' } },
  });
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ servers: [server('s', 'plain'), server('odd', 'odd')] }));
  searches = await startRecordingServer();
  const deepseek = { DEEPSEEK_API_KEY: 'hush-hush-e2e', DEEPSEEK_SEARCH_BASE_URL: searches.url };
  stack = await startStack({ worker: { EVERTURN_MCP_FILE: file, X_MCP_SECRET: 'hush-hush-e2e', ...deepseek } });
});
afterAll(async () => {
  await stack?.stop();
  searches?.close();
  rmSync(folder, { recursive: true });
});

const calls = (): string[] =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('call '));

const texts = (events: { type: string; data: unknown }[]): string[] =>
  events.flatMap(({ type, data }) =>
    type === 'tool/result' ? [JSON.stringify((data as { content: unknown }).content)] : [],
  );

test('a session is offered what servers have, odd schemas do not break its turn, and a changed list is there at the next step', async () => {
  const offered: string[][] = [];
  const read: string[] = [];
  const options = scripted(stack, 'mcp-grow', (request: RequestView) => {
    offered.push(request.tools);
    read.push(...request.results.map(({ content }) => content));
    const step = request.messages.filter((message) => message.role === 'assistant').length;
    if (step === 0) return { toolCalls: [{ name: 'mcp__odd__ok', arguments: { a: 1 } }] };
    if (step === 1) return { toolCalls: [{ name: 'mcp__s__grow', arguments: {} }] };
    if (step === 2) return { toolCalls: [{ name: 'mcp__s__big', arguments: {} }] };
    return { text: 'done' };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'grow');
  const events = await stack.api.turnEnded(session);
  expect(read).toEqual(['ok {"a":1}', 'grown', expect.stringMatching(/Omitted 29\d{5} bytes/)]);
  expect(offered[0]).toEqual(expect.arrayContaining(['mcp__odd__ok', 'mcp__odd__any-of', 'mcp__s__ok']));
  expect(offered[0]).not.toContain('mcp__odd__huge');
  expect(offered[0]).not.toContain('mcp__s__extra');
  expect(offered.at(-1)).toContain('mcp__s__extra');
  expect(JSON.stringify(events)).not.toContain('hush-hush-e2e');
  await expectSound(stack, session);
});

test('f5: a cancelled call that its server goes on with leaves the session idle at once', async () => {
  const options = scripted(stack, 'mcp-stubborn', callsThenDone({ name: 'mcp__s__stubborn', arguments: {} }));
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'be stubborn');
  await waitFor(async () => calls().includes('call stubborn {}'), { what: 'the call to reach the server' });
  const began = performance.now();
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
  const events = await stack.api.turnEnded(session);
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(texts(events).join()).toContain('tool call aborted');
  expect(calls().filter((line) => line.startsWith('call stubborn'))).toHaveLength(1);
});

test('what a search asks a model is in the log before it is asked, and stays when the search fails', async () => {
  const asked = Promise.withResolvers<() => void>();
  searches.answer = (response) => asked.resolve(() => response.writeHead(500).end('no such luck'));
  const query = 'x'.repeat(300);
  const search = callsThenDone({ name: 'web_search', arguments: { queries: [query] } });
  const session = await stack.api.create({ ...scripted(stack, 'native-search', search), prompt: 'search' });
  const answer = await asked.promise;
  const before = (await stack.api.events(session)).filter(({ type }) => !/^(assistant|request)\//.test(type));
  expect(before.slice(-2)).toMatchObject([
    { type: 'tool/call' },
    {
      type: 'web/deepseek-search-llm-request',
      data: { endpoint: `${searches.url}/messages`, apiVersion: '2023-06-01' },
    },
  ]);
  expect(before.at(-1)?.data).toMatchObject({ body: JSON.parse(searches.requests[0]?.body ?? '') as object });
  answer();
  const events = await stack.api.turnEnded(session);
  expect(events.filter(({ type }) => type.startsWith('web/'))).toHaveLength(1);
  expect(texts(events).join()).toContain('it answers 500: no such luck');
  expect(JSON.stringify(events)).not.toContain('hush-hush-e2e');
  await expectSound(stack, session);
});

test('a worker killed in a call leaves its outcome unknown, and no program of it behind', async () => {
  const options = scripted(stack, 'mcp-killed', callsThenDone({ name: 'mcp__s__sleep', arguments: {} }));
  const session = await stack.api.create(options);
  const before = readFileSync(journal, 'utf8')
    .split('\n')
    .findLast((line) => line.startsWith('start '));
  const pid = Number(before?.slice('start '.length));
  await stack.api.prompt(session, 'sleep');
  await waitFor(async () => calls().includes('call sleep {}'), { what: 'the call to reach the server' });
  await stack.worker().kill9();
  await waitFor(async () => isGone(pid), { what: 'the server of the dead worker to be gone' });
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(JSON.stringify(events)).toContain('TOOL_OUTCOME_UNKNOWN');
  expect(calls().filter((line) => line.startsWith('call sleep'))).toHaveLength(1);
});

test('the host report tells of the servers and what was left out', async () => {
  const { body } = await stack.api.call<{ workers: { mcp: { name: string; state: string; notices: string[] }[] }[] }>(
    'GET',
    '/v1/host',
  );
  const servers = body.workers.flatMap(({ mcp }) => mcp);
  expect(servers.map(({ name, state }) => [name, state])).toEqual([
    ['odd', 'connected'],
    ['s', 'connected'],
  ]);
  expect(servers[0]?.notices.join('\n')).toContain('tool "huge" is left out');
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z');
  } catch {
    return true;
  }
}
