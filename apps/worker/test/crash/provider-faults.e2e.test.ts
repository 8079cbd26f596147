import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedModel, waitFor, type ScriptedModel } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { bash, callsThenDone, requestsTo, scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';
import type { Fault } from '@everturn/core/providers';

let stack: Stack;
/** Behind a route that has a price. */
let dear: ScriptedModel;
const folder = mkdtempSync(join(tmpdir(), 'everturn-routes-'));
beforeAll(async () => {
  dear = await startScriptedModel();
  const file = join(folder, 'providers.json');
  const route = { id: 'dear', dialect: 'scripted', baseUrl: dear.url, price: { input: 2, output: 10 } };
  writeFileSync(file, JSON.stringify({ routes: [route] }));
  stack = await startStack({
    worker: {
      EVERTURN_STREAM_IDLE_TIMEOUT_MS: '1000',
      EVERTURN_STREAM_SILENCE_LIMIT_MS: '1500',
      EVERTURN_PROVIDERS_FILE: file,
      EVERTURN_PLUGINS: fileURLToPath(new URL('../support/choosing-plugin.ts', import.meta.url)),
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  await dear?.close();
  rmSync(folder, { recursive: true });
});

const faults: [string, Fault, string][] = [
  ['429', { kind: 'status', status: 429, retryAfter: 1 }, 'RATE_LIMIT'],
  ['500', { kind: 'status', status: 500 }, 'SERVER'],
  ['a stall', { kind: 'stall', afterDeltas: 1 }, 'TIMEOUT'],
  ['keep-alives only', { kind: 'keep-alive-only', afterDeltas: 1, everyMs: 200 }, 'TIMEOUT'],
  ['a cut stream', { kind: 'cut', afterDeltas: 1 }, 'TRANSPORT'],
];

test.concurrent.each(faults)('%s is waited out durably and tried again in a new step', async (name, fault, code) => {
  const model = `fault-${code}-${name.length}`;
  const session = await stack.api.create(
    scripted(stack, model, () => ({ text: 'one two three', fault, faultTimes: 1 })),
  );
  await stack.api.prompt(session, 'go');
  expect(logLines(await stack.api.turnEnded(session))).toEqual([
    'turn/start',
    'user/message',
    'step/start',
    'request/header',
    'step/end',
    `llm/retry ${code}`,
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  await expectSound(stack, session);
});

test.concurrent.each<[string, Fault, string]>([
  ['garbage', { kind: 'garbage' }, 'MALFORMED_RESPONSE'],
  ['a page instead of an answer', { kind: 'html' }, 'MALFORMED_RESPONSE'],
  ['an error in a good response', { kind: 'error-frame', message: 'quota gone', code: 'insufficient_quota' }, 'QUOTA'],
  ['a refused request', { kind: 'status', status: 400 }, 'INVALID_REQUEST'],
])('%s fails the turn with its code, once', async (name, fault, code) => {
  const model = `final-${name.replaceAll(' ', '-')}`;
  const session = await stack.api.create(scripted(stack, model, () => ({ text: 'x', fault })));
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  const end = events.at(-1);
  expect(end?.type === 'turn/end' && end.data.reason).toMatchObject({ kind: 'error', step: 1, failure: { code } });
  expect(requestsTo(stack, model)).toBe(1);
  await expectSound(stack, session);
});

test.concurrent('what a failed call used is counted too, in tokens and in dollars', async () => {
  let asked = 0;
  dear.script('counted', () => {
    asked += 1;
    const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
    return { text: asked === 1 ? '' : 'hello', usage };
  });
  const session = await stack.api.create({ provider: 'dear', model: 'counted', workspace: stack.workspace });
  await stack.api.prompt(session, 'go');
  expect(logLines(await stack.api.turnEnded(session))).toContain('llm/retry EMPTY_RESPONSE');
  const usage = { inputTokens: 2_000, outputTokens: 200, costUsd: 0.006, steps: 2, turns: 1 };
  const { body } = await stack.api.call('GET', `/v1/sessions/${session}/projections`);
  expect(body['usage']).toMatchObject(usage);
  expect((await stack.api.call('GET', `/v1/sessions/${session}`)).body['usage']).toMatchObject(usage);
  await expectSound(stack, session);
});

test.concurrent('a retry is given up after its budget, and the wait can be cancelled', async () => {
  const broken = await stack.api.create(
    scripted(stack, 'always-500', () => ({ text: 'x', fault: { kind: 'status', status: 500 } })),
  );
  await stack.api.prompt(broken, 'go');
  expect(logLines(await stack.api.turnEnded(broken)).filter((line) => line.startsWith('llm/retry')).length).toBe(2);
  await expectSound(stack, broken);

  const waiting = await stack.api.create(
    scripted(stack, 'wait-long', () => ({ text: 'x', fault: { kind: 'status', status: 429, retryAfter: 9 } })),
  );
  await stack.api.prompt(waiting, 'go');
  await stack.api.until(waiting, 'the retry', (events) => events.some(({ type }) => type === 'llm/retry'));
  await stack.api.call('POST', `/v1/sessions/${waiting}/cancel`);
  expect(logLines(await stack.api.turnEnded(waiting)).at(-1)).toBe('turn/end aborted');
  await expectSound(stack, waiting);
});

test.concurrent('calls the model cannot make: an unknown tool, half its JSON', async () => {
  const session = await stack.api.create(
    scripted(stack, 'odd-calls', ({ steps }) =>
      steps.length === 0
        ? {
            toolCalls: [
              { name: 'no_such_tool', arguments: {} },
              { name: 'write', arguments: '{"file_path":"half.md","content":"# Ti' },
            ],
          }
        : { text: 'done' },
    ),
  );
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).filter((line) => line.startsWith('tool/result'))).toEqual([
    'tool/result call_1_1 UNKNOWN_TOOL',
    expect.stringMatching(/^tool\/result call_1_2 (error|INVALID_ARGS)$/),
  ]);
  expect(logLines(events).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test.concurrent('a listener chooses the model once, for all that follows until the session’s next life; one that throws leaves no header', async () => {
  const headers = (events: Parameters<typeof logLines>[0]) =>
    events.flatMap((event) =>
      event.type === 'request/header' ? [[event.data.reason, event.data.header.config.model]] : [],
    );
  const answers = callsThenDone(bash('echo hi'));
  for (const name of ['switched-1', 'switched-2']) stack.model.script(name, answers);
  const session = await stack.api.create(scripted(stack, 'switching', answers));
  await stack.api.prompt(session, 'go');
  await stack.api.turnEnded(session);
  await stack.api.prompt(session, 'on');
  const first = await stack.api.turnEnded(session, 2);
  expect(headers(first)).toEqual([['initial', 'switched-1']]);
  expect([requestsTo(stack, 'switching'), requestsTo(stack, 'switched-1')]).toEqual([0, 3]);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === 'closed', {
    what: 'the end',
  });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`);
  await stack.api.prompt(session, 'again');
  expect(headers(await stack.api.turnEnded(session, 3)).slice(1)).toEqual([['resume', 'switched-2']]);
  await expectSound(stack, session);

  const refused = await stack.api.create(scripted(stack, 'refused', answers));
  await stack.api.prompt(refused, 'go');
  const events = await stack.api.turnEnded(refused);
  expect(logLines(events)).toEqual(['turn/start', 'user/message', 'step/start', 'step/end', 'turn/end error']);
  expect(requestsTo(stack, 'refused')).toBe(0);
  await expectSound(stack, refused);
});
