import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { blockableProxy, type BlockableProxy } from '../../../api/test/support/blockable-proxy.ts';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

const A_MINUTE_MS = 60_000;

let stack: Stack;
let proxy: BlockableProxy;
beforeAll(async () => {
  const through = async (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    proxy = await blockableProxy(Number(url.port));
    url.port = String(proxy.port);
    return { DATABASE_URL: url.href };
  };
  stack = await startStack({ own: ['postgres'], through });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
});

test.each([
  ['dead', async () => stack.postgresServer?.kill9(), async () => stack.postgresServer?.start()],
  ['behind a way that went dead without a word', async () => proxy.block(), async () => proxy.unblock()],
])('Postgres %s for a minute while the model streams: all wait, then go on', async (state, leave, comeBack) => {
  const name = state.slice(0, 4);
  const options = scripted(stack, name, () => ({
    text: ['before, ', 'meanwhile, ', 'after'],
    hold: { gate: name, afterDeltas: 1 },
  }));
  const session = await stack.api.create(options);
  const followed = stack.api.follow(session, (events) => events.at(-1)?.type === 'turn/end');
  await stack.api.prompt(session, 'go');
  await stack.model.held(name);
  const isChunk = ({ type }: { type: string }) => type === 'assistant/chunk';
  const served = await stack.api.until(session, 'a chunk', (events) => events.some(isChunk) && events);
  const processes = [stack.worker().pid, stack.apiProcess().pid];

  await leave();
  const left = Date.now();
  stack.model.release(name);
  const answers: unknown[] = [];
  const ask = async () => {
    const { status, headers, body } = await stack.api.call('GET', `/v1/sessions/${session}`);
    answers.push([status, body['code'], Number(headers.get('retry-after')) > 0]);
    return Date.now() - left > A_MINUTE_MS;
  };
  await waitFor(ask, { what: 'the minute to pass', timeoutMs: 2 * A_MINUTE_MS, everyMs: 2_000 });
  expect(new Set(answers.map(String))).toEqual(new Set(['503,DATABASE_UNAVAILABLE,true']));
  await comeBack();

  const events = await stack.api.until(
    session,
    'the turn to end',
    (found) => found.at(-1)?.type === 'turn/end' && found,
  );
  expect(events.slice(0, served.length)).toEqual(served);
  const lines = logLines(events);
  expect([lines.filter((line) => line === 'assistant/message').length, lines.at(-1)]).toEqual([
    1,
    'turn/end completed',
  ]);
  expect(await followed).toEqual(events);
  expect([stack.worker().pid, stack.apiProcess().pid]).toEqual(processes);
  for (const pid of processes) expect(() => process.kill(pid, 0)).not.toThrow();
  await expectSound(stack, session);
});
