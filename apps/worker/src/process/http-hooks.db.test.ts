import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { text } from '@everturn/core/domain';
import { startRecordingServer, waitFor, type RecordingServer } from '@everturn/core/testing';
import { interceptActivity } from '../activities/intercept.ts';
import { attempt } from '../activities/testing/test-process.ts';
import { hookWorkers } from './test/hook-workers.ts';
import { about, answerOf, askAbout } from './test/test-hooks.ts';

const SECRET = 'a secret that signs';
const { withHooks } = hookWorkers();
let server: RecordingServer;
beforeAll(async () => void (server = await startRecordingServer()));
afterAll(() => server.close());
beforeEach(() => (server.requests = []));

const json = (value: unknown) => (response: ServerResponse) => {
  response.end(JSON.stringify(value));
};
const address = () => `${server.url}/hook`;
const asking = (events: string[], more: object = {}) =>
  withHooks(
    { http: [{ url: address(), secretEnv: 'HOOK_SECRET', events, ...more }] },
    { environment: { HOOK_SECRET: SECRET } },
  );

const { preTool, submit } = about;

test('a service is asked with a signature over id, time and body, and its decision counts', async () => {
  server.answer = json({ decision: 'block', reason: 'not on Fridays' });
  const { ask } = await asking(['PreToolUse']);
  expect(await ask(preTool)).toMatchObject({
    decision: { action: 'deny', reason: 'not on Fridays' },
    hooks: [
      {
        invoked: { dialect: 'http', handlerId: 'http.PreToolUse.0@t1.s1.c0', point: 'tools/pre-execute' },
        result: { decision: 'deny' },
      },
    ],
  });
  const [request] = server.requests;
  const [id, time] = [request?.headers['webhook-id'], request?.headers['webhook-timestamp']];
  const signed = createHmac('sha256', SECRET).update(`${String(id)}.${String(time)}.${request?.body}`);
  expect(request?.headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  expect(Math.abs(Date.now() / 1_000 - Number(time))).toBeLessThan(60);
  expect(id).toMatch(/^[^:]+:http\.PreToolUse\.0@t1\.s1\.c0$/);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'bash' });
});

test('the shapes are those of commands, an empty answer says nothing, and one service may hear of several events', async () => {
  const { ask } = await asking(['PreToolUse', 'UserPromptSubmit']);
  server.answer = json({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'it rains' } });
  expect(await ask(submit)).toMatchObject({
    decision: { action: 'allow', additionalContexts: [{ content: [text('it rains')] }] },
  });
  server.answer = (response) => response.writeHead(204).end();
  expect(await ask(preTool)).toMatchObject({
    decision: { action: 'allow' },
    hooks: [{ result: { decision: 'pass' } }],
  });
});

describe('a service that', () => {
  const bad: [string, (response: ServerResponse) => void, RegExp][] = [
    ['fails', (response) => response.writeHead(500).end('{}'), /answered 500$/],
    ['answers nonsense', (response) => response.end('<html>'), /something that is no JSON object/],
    ['answers a list', json([]), /something that is no JSON object/],
    [
      'redirects',
      (response) => response.writeHead(302, { location: '/other' }).end(),
      /answered 302; redirects are not/,
    ],
    ['breaks off', (response) => response.destroy(), /could not be asked: /],
    ['hangs', () => undefined, /did not answer within 200 ms/],
    ['answers for ever', (response) => response.end('x'.repeat(2_000_000)), /answered more than/],
  ];

  test.each(bad)('%s counts as a listener that threw', async (_what, how, why) => {
    server.answer = how;
    const { ask } = await asking(['PreToolUse'], { timeout: 0.2 });
    const said = await ask(preTool);
    expect(said).toMatchObject({
      kind: 'threw',
      code: 'PLUGIN_HOOK_FAILED',
      message: expect.stringMatching(why) as string,
      hooks: [{ result: { decision: 'pass', stderrSummary: expect.stringMatching(why) as string } }],
    });
    expect([JSON.stringify(said).includes(SECRET), server.requests.map(({ url }) => url)]).toEqual([false, ['/hook']]);
  });

  test('fails stops nobody where its entry says so', async () => {
    server.answer = (response) => response.writeHead(500).end();
    const { ask } = await asking(['PreToolUse'], { onFailure: 'continue' });
    expect(await ask(preTool)).toMatchObject({
      decision: { action: 'allow' },
      hooks: [{ result: { decision: 'pass', stderrSummary: expect.stringMatching(/answered 500/) as string } }],
    });
  });
});

test('a service that hangs is not waited for when its turn is stopped', async () => {
  server.answer = () => undefined;
  const { deps } = await asking(['PreToolUse']);
  const running = attempt(interceptActivity(deps), await askAbout(deps, preTool));
  await waitFor(() => server.requests.length > 0, { what: 'the question' });
  running.cancel();
  expect(await running.result).toMatchObject({ kind: 'threw', hooks: [{ result: { decision: 'pass' } }] });
});

test('asked again after its answer was kept, nobody asks the service again', async () => {
  server.answer = json({ decision: 'block' });
  const { deps } = await asking(['PreToolUse']);
  const input = await askAbout(deps, preTool);
  const first = await answerOf(deps, input);
  expect([await answerOf(deps, input), server.requests.length]).toEqual([first, 1]);
});
