import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { bash, callsThenDone, scripted } from '../support/model-scripts.ts';
import { resetSession } from '../support/reset-session.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

/** A session whose first turn runs a long command. */
async function busySession(name: string): Promise<string> {
  const mark = join(stack.workspace, `${name}-runs`);
  const session = await stack.api.create(
    scripted(stack, name, callsThenDone(bash(`touch ${mark}; sleep 600`, 600_000))),
  );
  await stack.api.prompt(session, 'go');
  await waitFor(() => existsSync(mark), { what: 'bash to run', timeoutMs: 30_000 });
  return session;
}

const handle = (id: string) => stack.client.workflow.getHandle(id);
const status = async (session: string) => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'];

test.concurrent.each([
  ['turn', (session: string) => `session:${session}/turn:1`],
  ['step', (session: string) => `session:${session}/turn:1/step:1`],
])('a %s cancelled in the Temporal UI ends as cancelled, and the session goes on', async (name, id) => {
  const session = await busySession(`cancel-${name}`);
  await handle(id(session)).cancel();
  expect(logLines(await stack.api.turnEnded(session)).slice(-3)).toEqual([
    'tool/result call_1_1 ABORTED',
    'step/end',
    'turn/end aborted',
  ]);
  await stack.api.prompt(session, 'again');
  expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test.concurrent('a session cancelled in the Temporal UI closes', async () => {
  const session = await busySession('cancel-session');
  await handle(`session:${session}`).cancel();
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end disposed');
  await waitFor(async () => (await status(session)) === 'closed', { what: 'the session to close' });
  const refused = await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content: 'more' });
  expect(refused.status).toBe(409);
  await expectSound(stack, session);
});

test.concurrent.each([
  ['turn', (session: string) => `session:${session}/turn:1`],
  ['step', (session: string) => `session:${session}/turn:1/step:1`],
])('a %s terminated: the session recovers at once and goes on', async (name, id) => {
  const session = await busySession(`terminate-${name}`);
  await handle(id(session)).terminate('test');
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).slice(-3)).toEqual([
    expect.stringMatching(/^tool\/result call_1_1 (TOOL_OUTCOME_UNKNOWN|ABORTED)$/),
    'step/end',
    'turn/end interrupted',
  ]);
  await stack.api.prompt(session, 'again');
  expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test.concurrent('a session terminated: the next prompt brings it back', async () => {
  const session = await busySession('terminate-session');
  await handle(`session:${session}`).terminate('test');
  await stack.api.prompt(session, 'again');
  const lines = logLines(await stack.api.turnEnded(session, 2));
  expect(lines).toContain('turn/end interrupted');
  expect(lines.at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test.concurrent('a session terminated: a cancel that brings it back drops what waited', async () => {
  const session = await busySession('terminate-and-cancel');
  await stack.api.prompt(session, 'waits');
  await stack.api.prompt(session, 'waits, too');
  await handle(`session:${session}`).terminate('test');
  expect((await stack.api.call('POST', `/v1/sessions/${session}/cancel`)).status).toBeLessThan(300);
  await stack.api.prompt(session, 'again');
  const events = await stack.api.turnEnded(session, 2);
  expect(logLines(events).at(-1)).toBe('turn/end completed');
  const said = events.flatMap((event) => (event.type === 'user/message' ? [event.data.content] : []));
  expect(said).toEqual(['go', 'again'].map((words) => [{ type: 'text', text: words }]));
  await expectSound(stack, session);
});

test.concurrent('a session reset in Temporal turns broken, stays readable, and a resume mends it', async () => {
  const session = await stack.api.create(scripted(stack, 'reset', () => ({ text: 'hello' })));
  for (const turn of [1, 2]) {
    await stack.api.prompt(session, `go ${turn}`);
    await stack.api.turnEnded(session, turn);
  }
  const before = await stack.api.events(session);
  await resetSession(stack, session);
  expect(await stack.api.events(session)).toEqual(before);
  const refused = await stack.api.call('POST', `/v1/sessions/${session}/prompts`, { content: 'more' });
  expect([refused.status, refused.body['code']]).toEqual([409, 'SESSION_BROKEN']);
  expect((await stack.api.call('POST', `/v1/sessions/${session}/resume`)).status).toBeLessThan(300);
  await stack.api.prompt(session, 'go 3');
  const after = await stack.api.until(
    session,
    'the third prompt to be answered',
    (found) => found.some((event) => event.type === 'turn/end' && event.data.turn > 2) && found,
  );
  expect(after.slice(0, before.length)).toEqual(before);
  // Nobody is answered twice.
  expect(logLines(after.slice(before.length)).filter((line) => line === 'user/message')).toHaveLength(1);
  expect(logLines(after).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

/** Sends a first prompt, and does something while its turn still reads what it is to work with. */
async function whileItReads(name: string, act: (session: string) => Promise<unknown>): Promise<string> {
  const session = await stack.api.create(scripted(stack, name, ({ lastUser }) => ({ text: lastUser })));
  // Settings are read by `assemble` alone, and nobody reads them while somebody has the table to himself.
  const holder = await stack.database.pool.connect();
  try {
    await holder.query('begin; lock table settings in access exclusive mode');
    await stack.api.prompt(session, 'kept');
    const waiting = () => holder.query("select from pg_locks where relation = 'settings'::regclass and not granted");
    await waitFor(async () => (await waiting()).rowCount === 1, { what: 'assemble to begin' });
    await act(session);
  } finally {
    // Other files use this database, too.
    await holder.query('rollback');
    holder.release();
  }
  return session;
}

test('a first turn cancelled while it still reads what it is to work with keeps its message', async () => {
  const session = await whileItReads('cancel-start', (id) => handle(`session:${id}/turn:1`).cancel());
  expect(logLines(await stack.api.turnEnded(session))).toEqual(['turn/start', 'user/message', 'turn/end aborted']);
  await stack.api.prompt(session, 'again');
  expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

const secondTurn = async (session: string) => logLines(await stack.api.turnEnded(session, 2));
const answeredByTheNext = expect.objectContaining({
  0: 'turn/start',
  1: 'turn/end interrupted',
  2: 'turn/start',
  3: 'user/message',
});

test('a message whose turn is terminated then is answered by the next turn', async () => {
  const session = await whileItReads('terminate-turn', (id) => handle(`session:${id}/turn:1`).terminate('test'));
  const lines = await secondTurn(session);
  expect(lines).toEqual(answeredByTheNext);
  expect(lines.at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});

test('a message whose session is terminated and resumed then is answered by the next turn', async () => {
  // Resumed later, it might find that its turn, which is cancelled with it, has ended as such.
  const session = await whileItReads('terminate-session', async (id) => {
    await handle(`session:${id}`).terminate('test');
    expect((await stack.api.call('POST', `/v1/sessions/${id}/resume`)).status).toBeLessThan(300);
    await stack.api.turnEnded(id);
  });
  const lines = await secondTurn(session);
  expect(lines).toEqual(answeredByTheNext);
  expect(lines.at(-1)).toBe('turn/end completed');
  await expectSound(stack, session);
});
