import { beforeEach, describe, expect, test, vi } from 'vitest';
import { text, type MessageEntry, type RequestId } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import type { OpenLogResult } from '../../contract/index.ts';
import { openSession } from './open-session.ts';
import { returnUnused } from './return-unused.ts';
import { listenToClients } from './session-handlers.ts';
import { openState, type SessionState } from './session-state.ts';
import { listenToSenders } from './withdraw-message.ts';

interface Listener {
  handler(input: object): unknown;
  validator?(input: object): void;
}
const sandbox = vi.hoisted(() => ({ listeners: new Map<string, Listener>(), openLog: vi.fn<() => Promise<object>>() }));
// What a worker's sandbox gives: no recorded run, and one activity of the test's own.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ runId: 'run-2', firstExecutionRunId: 'run-2' }),
  patched: () => true,
  setCurrentDetails: () => undefined,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({ openLog: sandbox.openLog }),
  setHandler: (of: { type: string; name: string }, handler: Listener['handler'], more?: Partial<Listener>) =>
    sandbox.listeners.set(`${of.type} ${of.name}`, { handler, ...more }),
}));

const entry = (requestId: string, kind: MessageEntry['kind'] = 'prompt'): MessageEntry => ({
  requestId: requestId as RequestId,
  kind,
  content: [text(requestId)],
  source: { kind: 'user' },
  preview: requestId,
});

let session: SessionState;
beforeEach(() => {
  session = openState({ session: 's', tenant: 't', intent: 'open' } as unknown as SessionInput);
  listenToClients(session);
  listenToSenders(session);
});

const signal = (name: string, input: object) => sandbox.listeners.get(`signal ${name}`)?.handler(input);
async function update(name: string, input: object): Promise<unknown> {
  const { validator, handler } = sandbox.listeners.get(`update ${name}`) as Listener;
  validator?.(input);
  return handler(input);
}
const prompt = (requestId: string) => update('submitPrompt', { ...entry(requestId), mode: 'send' });
const cancel = (queue: 'clear' | 'park') => update('cancel', { requestId: `cancel-${queue}`, cause: 'user', queue });

/** Opens the log, which knows of messages that wait and of requests that have been dealt with. */
async function open(
  unclaimed: string[],
  recentRequests: string[] = [],
  cancelsBefore?: Record<string, string[]>,
): Promise<void> {
  const found: Partial<Extract<OpenLogResult, { kind: 'opened' }>> = {
    kind: 'opened',
    generation: 2,
    lastTurn: 0,
    highestAcknowledged: -1,
    title: '',
    instance: session.instance,
    usage: session.usage,
    unclaimed: unclaimed.map((id) => entry(id)),
    recentRequests: recentRequests as RequestId[],
    ...(cancelsBefore && { cancelsBefore: cancelsBefore as Record<RequestId, RequestId[]> }),
  };
  sandbox.openLog.mockResolvedValueOnce(found);
  await openSession(session);
}
const queued = () => session.queue.queued.map(({ requestId }) => requestId);
const discarded = () =>
  new Set(session.writer.handOver().rows?.prompts?.flatMap((p) => (p.state === 'discarded' ? [p.promptId] : [])));

describe('before the log is open', () => {
  test('a cancel drops what the log says waits, too, but nothing that came after it', async () => {
    await prompt('row-and-memory');
    let answer = 'none';
    const asked = cancel('clear').then(() => (answer = 'given'));
    await prompt('after');
    expect(answer).toBe('none');
    await open(['waits', 'row-and-memory', 'after']);
    await asked;
    expect(queued()).toEqual(['after']);
    expect(discarded()).toEqual(new Set(['waits', 'row-and-memory']));
  });

  test('an interruption parks it, until the next prompt', async () => {
    const asked = cancel('park');
    await open(['waits']);
    await asked;
    expect([queued(), session.parked]).toEqual([['waits'], true]);
    await prompt('after');
    expect(session.parked).toBe(false);
  });

  test('a prompt that follows an interruption there and then ends the park', async () => {
    const asked = cancel('park');
    await prompt('after');
    await open(['waits', 'after']);
    await asked;
    expect([queued(), session.parked]).toEqual([['waits', 'after'], false]);
  });

  test.each(['clear', 'park'] as const)(
    'what was accepted after a cancel (%s), and is on its way, runs',
    async (queue) => {
      const asked = cancel(queue);
      await open(['waits', 'on-its-way'], [], { waits: ['older'], 'on-its-way': [`cancel-${queue}`, 'older'] });
      await asked;
      expect([queued(), session.parked]).toEqual([queue === 'clear' ? ['on-its-way'] : ['waits', 'on-its-way'], false]);
      await prompt('on-its-way');
      expect(queued().at(-1)).toBe('on-its-way');
    },
  );

  test('messages are edited, dropped and taken back once it is known that they wait', async () => {
    const edit = (promptId: string, change: object = {}) =>
      update('editQueued', { requestId: `edit-${promptId}`, promptId, ...change });
    const edited = edit('a', { content: [text('other')], preview: 'other' });
    const dropped = edit('b');
    const missed = edit('gone').catch((error: unknown) => error);
    signal('withdraw', { message: 'c' });
    await open(['a', 'b', 'c', 'd']);
    await Promise.all([edited, dropped]);
    expect(await missed).toMatchObject({ type: 'PROMPT_NOT_QUEUED' });
    expect(session.queue.queued.map(({ preview }) => preview)).toEqual(['other', 'd']);
    expect(discarded()).toEqual(new Set(['b', 'c']));
  });

  test('a person gives the title, which no turn is to find missing', async () => {
    await update('rename', { requestId: 'rename', title: 'Mine' });
    await open(['waits']);
    expect(session.title).toBe('Mine');
  });

  test('what an earlier life has taken is not taken again', async () => {
    signal('submitPrompt', { ...entry('taken'), mode: 'send' });
    await prompt('new');
    // One that a turn had claimed and never let in is among both.
    await open(['claimed', 'waits'], ['older', 'taken', 'claimed']);
    expect(queued()).toEqual(['claimed', 'waits', 'new']);
    signal('submitPrompt', { ...entry('older'), mode: 'send' });
    expect(queued()).toEqual(['claimed', 'waits', 'new']);
  });
});

test('a message that was taken is not refused when it comes again as one signal too many', async () => {
  await open([]);
  await prompt('taken');
  session.running = { number: 1, message: 'x' as RequestId, source: { kind: 'user' }, send: () => undefined };
  session.signals = 9_000;
  signal('submitPrompt', { ...entry('taken'), mode: 'send' });
  signal('submitPrompt', { ...entry('more'), mode: 'send' });
  expect(queued()).toEqual(['taken']);
  expect(discarded()).toEqual(new Set(['more']));
});

describe('once what waited is gone', () => {
  test('a park holds nothing: the turn had read it, it was dropped, or all was cleared', async () => {
    await open([]);
    session.queue = { queued: [], steering: [entry('read', 'steering')] };
    await cancel('park');
    expect(session.parked).toBe(true);
    returnUnused(session, { consumed: ['read' as RequestId], discarded: [] });
    expect(session.parked).toBe(false);

    session.queue = { queued: [entry('waits')], steering: [] };
    session.parked = true;
    await update('editQueued', { requestId: 'drop', promptId: 'waits' });
    expect(session.parked).toBe(false);

    session.queue = { queued: [entry('waits')], steering: [] };
    session.parked = true;
    await cancel('clear');
    expect([queued(), session.parked]).toEqual([[], false]);
  });

  test('a park holds what the turn had not read', async () => {
    await open([]);
    session.queue = { queued: [], steering: [entry('unread', 'steering')] };
    await cancel('park');
    returnUnused(session, { consumed: [], discarded: [] });
    expect([queued(), session.parked]).toEqual([['unread'], true]);
  });

  test('word of an agent that was to go along with it begins a turn of its own', async () => {
    await open([]);
    session.queue = { queued: [entry('waits')], steering: [entry('settled', 'steering')] };
    await update('editQueued', { requestId: 'drop', promptId: 'waits' });
    expect(session.queue).toEqual({ queued: [entry('settled')], steering: [] });
  });
});
