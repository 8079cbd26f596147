import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neededProgram } from '@everturn/core/testing';
import type { JsonValue, SessionId } from '@everturn/core/domain';
import type { AskModel, ModelQuestion, ToolCallContext } from '../src/kit/index.ts';
import { executeTool } from '../src/activity.ts';
import type { OpenLocalWorldInput } from '../src/world/index.ts';
import { launchChromium } from '../src/world/browser/launch-chromium.ts';
import { openWorkspace, SESSION } from './workspace.ts';

const chromium = neededProgram('chromium');
const PAGE = `<title>Shop</title><h1>Hello</h1>
  <button onclick="document.title = 'Bought'">Buy</button><p>Price: 42 EUR</p>`;

let origin = '';
const server = createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(request.url === '/other' ? '<title>Other</title><p>else</p>' : PAGE);
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** What a model would answer that reads the page: the button, and the price. */
const reads = async ({ prompt, schema }: ModelQuestion): Promise<JsonValue> => {
  const wanted = Object.keys(schema['properties'] as object);
  const button = {
    elementId: /\[(\d+-\d+)\] button: Buy/.exec(prompt)?.[1] ?? '0-0',
    description: 'Buy',
    method: 'click',
    arguments: [],
  };
  if (wanted.includes('elements')) return { elements: [button] };
  if (wanted.includes('action')) return { action: button, twoStep: false };
  if (wanted.includes('completed')) return { progress: 'all of it', completed: true };
  return { [wanted[0] ?? '']: Number(/Price: (\d+)/.exec(prompt)?.[1]) };
};

async function setUp(ask: AskModel = reads, path = process.env['PATH'], more: Partial<OpenLocalWorldInput> = {}) {
  const { context, world, call } = await openWorkspace({
    ...more,
    environment: { PATH: path, OPENAI_API_KEY: 'sk-secret-of-host' },
  });
  const run = async (name: string, args: object, over: Partial<ToolCallContext> = {}) =>
    call(name, args, { askModel: ask, ...over });
  const json = async (name: string, args: object) => {
    const { text, isError } = await run(name, args);
    if (isError) throw new Error(text);
    return JSON.parse(text) as never;
  };
  return { context, world, run, json };
}

describe.skipIf(chromium.absent)(`a browser of the session${chromium.note}`, () => {
  test('navigates, observes, acts and extracts in the form that was asked for; what was not done is an error', async () => {
    let blind = false;
    const { json, run } = await setUp((question) => reads(blind ? { ...question, prompt: '' } : question));
    const page: { pageId: string } = await json('stagehand_navigate', { url: `${origin}/` });
    expect(page).toEqual({ pageId: expect.any(String), url: `${origin}/`, title: 'Shop' });
    expect(await json('stagehand_observe', { instruction: 'the buy button' })).toEqual([
      expect.objectContaining({ selector: expect.stringContaining('button'), method: 'click' }),
    ]);
    expect(await json('stagehand_act', { instruction: 'click Buy' })).toMatchObject({ success: true });
    expect(await json('stagehand_tabs', { action: 'list' })).toEqual({
      tabs: [{ pageId: page.pageId, url: `${origin}/`, title: 'Bought', active: true }],
    });
    const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    expect(await json('stagehand_extract', { instruction: 'the price', schema })).toEqual({ price: 42 });
    blind = true;
    expect(await run('stagehand_act', { instruction: 'click Sell' })).toEqual({
      text: expect.stringMatching(/^Error: the browser could not do it: ./),
      isError: true,
    });
  });

  test('tabs are opened, selected and closed; a stale one is told as such', async () => {
    const { json, run } = await setUp();
    const first: { pageId: string } = await json('stagehand_navigate', { url: `${origin}/` });
    const { tabs }: { tabs: { pageId: string; active: boolean; title: string }[] } = await json('stagehand_tabs', {
      action: 'new',
      url: `${origin}/other`,
    });
    const second = tabs.find(({ active }) => active)?.pageId ?? '';
    expect(tabs).toHaveLength(2);
    expect(await json('stagehand_tabs', { action: 'select', pageId: first.pageId })).toMatchObject({
      tabs: expect.arrayContaining([expect.objectContaining({ pageId: first.pageId, active: true })]),
    });
    await json('stagehand_tabs', { action: 'close', pageId: second });
    expect(await run('stagehand_navigate', { url: `${origin}/`, pageId: second })).toEqual({
      text: 'Error: Stagehand browser tab is unavailable; list tabs to select a current pageId',
      isError: true,
    });
    expect(await json('stagehand_tabs', { action: 'close', pageId: first.pageId })).toMatchObject({
      tabs: [{ url: 'about:blank' }],
    });
  });

  test('a screenshot is a picture for a model that takes pictures, and refused for another', async () => {
    const { context, world, run } = await setUp();
    await run('stagehand_navigate', { url: `${origin}/` });
    const saved: Uint8Array[] = [];
    const attachments = {
      save: async (bytes: Uint8Array) => (saved.push(bytes), { type: 'image', attachmentId: 'a' }),
    };
    const over = (takesImages: boolean) =>
      context({
        ports: { ...world.ports, attachments: attachments as never },
        route: async () => ({ provider: 'p', model: 'm', takesImages }),
      });
    const args = { fullPage: true };
    const shown = await executeTool({ name: 'stagehand_screenshot', args, context: over(true) });
    expect(shown.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Screenshot of tab [0-9A-F]{32}\.$/) },
      { type: 'image', attachmentId: 'a' },
    ]);
    expect(
      Buffer.from(saved[0] ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const refused = await executeTool({ name: 'stagehand_screenshot', args, context: over(false) });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('takes text only') }] });
  });

  test('a cancel ends the call at once, and the next one finds the browser as it was', async () => {
    const asked = Promise.withResolvers<void>();
    const { run, json } = await setUp((question) => {
      asked.resolve();
      return new Promise((_, reject) => {
        question.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      });
    });
    const page: { pageId: string } = await json('stagehand_navigate', { url: `${origin}/other` });
    const stop = new AbortController();
    const running = run('stagehand_observe', { instruction: 'anything' }, { signal: stop.signal });
    await asked.promise;
    const began = performance.now();
    stop.abort();
    expect(await running).toMatchObject({ isError: true });
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(await json('stagehand_tabs', { action: 'list' })).toMatchObject({
      tabs: [{ pageId: page.pageId, title: 'Other' }],
    });
  });

  test("one that ran before is one session's at a time, and outlives it", async () => {
    const started = await launchChromium({
      program: chromium.file,
      signal: new AbortController().signal,
      converse: async ({ argv: [program = '', ...args], cwd, environment }) => {
        const child = spawn(program, args, { cwd, env: { ...process.env, ...environment } });
        const exited = once(child, 'exit').then(([code]) => ({ code }));
        const end = async () => void (child.kill(), await exited);
        return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, end } as never;
      },
    });
    try {
      const { run, json, world } = await setUp(reads, process.env['PATH'], { browserAddress: started.cdpUrl });
      const other = { resources: world.resources.of('another' as SessionId) };
      expect(await json('stagehand_navigate', { url: `${origin}/` })).toMatchObject({ title: 'Shop' });
      expect(await run('stagehand_navigate', { url: `${origin}/other` }, other)).toEqual({
        text: 'Error: attached browser is already reserved by another Session',
        isError: true,
      });
      await world.endSession(SESSION);
      const tabs = await run('stagehand_tabs', { action: 'list' }, other);
      expect(tabs).toMatchObject({ isError: false, text: expect.stringContaining('"Shop"') });
    } finally {
      await started.end();
    }
  });

  test('what it was started with and leaves behind: no key of ours, no process, no profile', async () => {
    const ofKilledWorker = join(tmpdir(), `everturn-browser-999999999-${randomUUID().slice(0, 6)}`);
    mkdirSync(ofKilledWorker);
    const { run, world } = await setUp();
    await run('stagehand_navigate', { url: `${origin}/` });
    expect(existsSync(ofKilledWorker)).toBe(false);
    const { listProcesses } = await import('../src/world/processes/process-table.ts');
    const ours = async () =>
      (await listProcesses()).filter(({ pid }) => {
        try {
          return (
            readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=`) &&
            readFileSync(`/proc/${pid}/environ`, 'utf8').includes('EVERTURN_PROCESS_OWNER')
          );
        } catch {
          return false;
        }
      });
    const running = await ours();
    expect(running.length).toBeGreaterThan(0);
    for (const { pid } of running)
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('sk-secret-of-host');
    await world.dispose();
    const pids = new Set(running.map(({ pid }) => pid));
    expect((await ours()).filter(({ pid, zombie }) => pids.has(pid) && !zombie)).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`everturn-browser-${process.pid}-`))).toEqual([]);
  });
});

test.each([
  ['stagehand_navigate', { url: 'not a url' }, 'is not an absolute http(s) URL'],
  ['stagehand_navigate', { url: 'file:///etc/passwd' }, 'is not an absolute http(s) URL'],
  ['stagehand_act', { instruction: '  ' }, 'instruction must not be blank'],
  ['stagehand_act', { instruction: 'x', pageId: ' ' }, 'pageId must not be blank'],
  ['stagehand_act', { instruction: 'x', extra: 1 }, '"extra" is not a declared property'],
  ['stagehand_tabs', { action: 'select' }, 'must match exactly one oneOf branch'],
  ['stagehand_tabs', { action: 'list', pageId: 'x' }, 'must match exactly one oneOf branch'],
])('%s refuses %j before anything is started', async (name, args, why) => {
  const { run } = await setUp(reads, '/nowhere');
  const { text, isError } = await run(name, args);
  expect([isError, text]).toEqual([true, expect.stringContaining(why)]);
});

test('no Chromium: the call says what to install', async () => {
  const { run } = await setUp(reads, '/nowhere');
  const { text, isError } = await run('stagehand_navigate', { url: 'http://127.0.0.1:1/' });
  expect([isError, text]).toEqual([true, expect.stringContaining('no Chromium was found: install one')]);
});
