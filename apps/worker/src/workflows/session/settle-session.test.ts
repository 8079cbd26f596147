import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  EMPTY_QUEUE,
  text,
  type MessageEntry,
  type MessageSource,
  type RequestId,
  type SessionId,
} from '@everturn/core/domain';
import type { ChildSettled, SessionInput } from '@everturn/core/protocol';
import type { OpenLogResult } from '../../contract/index.ts';
import { openSession } from './open-session.ts';
import { listenToChildren } from './session-children.ts';
import { endJobs } from './session-jobs.ts';
import { enqueue } from './session-queue.ts';
import { settleDue, settleSession } from './settle-session.ts';
import { openState, type SessionState } from './session-state.ts';

type Opened = Extract<OpenLogResult, { kind: 'opened' }>;
const sandbox = vi.hoisted(() => ({
  openLog: vi.fn<(input: object) => Promise<object>>(),
  told: [] as { workflow: string; word: ChildSettled }[],
  /** Whether the owner runs when it is told. */
  runs: [] as boolean[],
  kept: vi.fn<(input: object) => Promise<void>>(),
  /** What was waited for, and whether it was so. */
  waited: [] as boolean[],
  signals: new Map<string, (input: object) => void>(),
}));
// What a worker's sandbox gives: no recorded run, other workflows, and activities of the test's own.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ runId: 'run-2', firstExecutionRunId: 'run-2' }),
  patched: () => true,
  setCurrentDetails: () => undefined,
  condition: async (met: () => boolean) => sandbox.waited[sandbox.waited.push(met()) - 1],
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    openLog: sandbox.openLog,
    commitLog: async () => ({ acks: [] }),
    acceptNotices: sandbox.kept,
    lostChildren: async () => ({ lost: [] }),
    stopAllJobs: async () => ({ jobs: [], children: ['a'] }),
    describeEnd: async () => ({ stop: 'completed', notice: message('settled.c') }),
  }),
  getExternalWorkflowHandle: (workflow: string) => ({
    signal: async (_name: string, word: ChildSettled) => {
      if (sandbox.runs.shift() === false) throw new Error('not found');
      sandbox.told.push({ workflow, word });
    },
  }),
  setHandler: ({ name }: { name: string }, handler: (input: object) => void) => sandbox.signals.set(name, handler),
}));

const message = (requestId: string, source: MessageSource = { kind: 'user' }): MessageEntry => ({
  requestId: requestId as RequestId,
  kind: 'prompt',
  content: [text(requestId)],
  source,
  preview: requestId,
});
const ofLead = (requestId: string) =>
  message(requestId, { kind: 'agent-message', form: 'relay', senderSessionId: 'lead' });

let agent: SessionState;
const begin = (owner?: object) =>
  (agent = openState({
    session: 'c',
    tenant: 't',
    intent: 'open',
    ...(owner && { owner }),
  } as unknown as SessionInput));

/** Opens the log of an agent that `lead` started, where messages wait. */
async function open(state: 'open' | 'closed', unclaimed: MessageEntry[] = [], children: string[] = []): Promise<void> {
  const found: Partial<Opened> = {
    kind: 'opened',
    generation: 2,
    lastTurn: 0,
    highestAcknowledged: -1,
    title: '',
    instance: agent.instance,
    usage: agent.usage,
    unclaimed,
    recentRequests: [],
    children: children as SessionId[],
    parent: { session: 'lead', state } as NonNullable<Opened['parent']>,
  };
  sandbox.openLog.mockResolvedValueOnce(found);
  await openSession(agent);
}
/** The agent has read all that waits, and has nothing left to do. */
async function rest(): Promise<void> {
  agent.queue = EMPTY_QUEUE;
  if (settleDue(agent)) await settleSession(agent);
}
const told = () => sandbox.told.splice(0).map(({ workflow, word }) => [workflow, word.messages]);
const write = (entry: MessageEntry) => enqueue(agent, { ...entry, mode: 'steer' });

beforeEach(() => begin());

test('an agent is done with what it was given though messages are parked, but not while any will run', () => {
  begin({ session: 'lead', mode: 'continuable' });
  expect(settleDue(agent)).toBe(true);
  agent.queue = { ...EMPTY_QUEUE, queued: [message('waits')] };
  expect(settleDue(agent)).toBe(false);
  agent.parked = true;
  expect(settleDue(agent)).toBe(true);
  agent.queue = { ...agent.queue, steering: [message('handed over')] };
  expect(settleDue(agent)).toBe(false);
});

describe('an agent whose life somebody else began', () => {
  test('works for whoever started it, and says when it is done with what that one gave it, before and after', async () => {
    write(ofLead('early'));
    await open('open', [ofLead('delegated-task')]);
    expect(agent.input.owner).toEqual({ session: 'lead', mode: 'continuable' });
    await rest();
    expect(told()).toEqual([['session:lead', ['delegated-task', 'early']]]);
    await rest();
    expect(told()).toEqual([]);
    write(ofLead('more'));
    await rest();
    expect(told()).toEqual([['session:lead', ['more']]]);
  });

  test('is its own while its owner is closed, until that one writes to it', async () => {
    await open('closed', [ofLead('of-old')]);
    write(message('of-a-person'));
    write(message('of-another', { kind: 'agent-message', form: 'relay', senderSessionId: 'its-own-agent' }));
    await rest();
    expect([agent.input.owner, told()]).toEqual([undefined, []]);
    write(ofLead('again'));
    expect(agent.activation).toEqual({ state: 'running', epoch: 1, taken: ['again'] });
    await rest();
    expect(told()).toEqual([['session:lead', ['again']]]);
  });

  test('is back with its owner when its team writes, and when that one wrote before the log was open', async () => {
    await open('closed');
    const mail = { kind: 'team-message', teamId: 'lead', messageId: 'm', senderId: 's', senderName: 'S' } as const;
    write(message('m', { ...mail, teamId: 'its-own' }));
    expect(agent.input.owner).toBeUndefined();
    write(message('m', mail));
    expect(agent.input.owner?.session).toBe('lead');

    begin();
    write(ofLead('early'));
    await open('closed');
    expect(agent.activation?.taken).toEqual(['early']);
  });
});

describe('while an owner has no workflow', () => {
  const word = { child: 'c', requestId: 'settled.c' };

  test.each([
    ['still', [false, false], []],
    ['until just now', [false, true], [['session:lead', ['task']]]],
  ])('%s, what its agents say is kept for it', async (_how, runs, heard) => {
    begin({ session: 'lead', mode: 'continuable' });
    await open('open', [ofLead('task')]);
    sandbox.runs = [...runs];
    await rest();
    expect(sandbox.kept.mock.calls.splice(0)).toEqual([
      [expect.objectContaining({ session: 'lead', absent: true, entries: [message(word.requestId)] })],
    ]);
    expect(told()).toEqual(heard);
  });

  test('its agents work on, and its next life is not done before they are', async () => {
    listenToChildren(agent);
    const settled = (child: string) =>
      sandbox.signals.get('childSettled')?.({ child, messages: [], notice: message(`settled.${child}`) });
    // One says that it is done when it is known already that it was at work, and what it said is found as well.
    settled('a');
    await open('open', [message('settled.a')], ['a', 'b']);
    agent.queue = EMPTY_QUEUE;
    expect(agent.settlements).toEqual([]);
    expect(Object.keys(agent.children)).toEqual(['b']);
    expect(settleDue(agent)).toBe(false);
    settled('b');
    expect(agent.settlements.splice(0)).toEqual([message('settled.b')]);
    expect(settleDue(agent)).toBe(true);
  });
});

test('an owner that closes waits for an agent that had closed before and was brought back', async () => {
  listenToChildren(agent);
  await open('closed');
  const settled = { child: 'a', messages: 'all', closed: true };
  sandbox.signals.get('childSettled')?.(settled);
  sandbox.waited = [];
  await endJobs(agent);
  expect(sandbox.waited.slice(0, 2)).toEqual([true, false]); // no word of jobs is on its way; the agent has not closed
});
