import { beforeEach, expect, test, vi } from 'vitest';
import { text } from '@everturn/core/domain';
import { continueProgram } from './program/continue-program.ts';
import type { ProgramState } from './program/program-state.ts';
import { continueLoop } from './ralph/continue-loop.ts';
import type { LoopState } from './ralph/loop-state.ts';
import { continueTurnIfDue } from './turn/continue-turn.ts';
import type { TurnState } from './turn/turn-state.ts';

const continued = vi.hoisted(() => vi.fn<(input: { carried: Record<string, unknown> }) => Promise<void>>());
// What a worker's sandbox gives: a history that is long enough, and no recorded run.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ historyLength: 3, historySize: 0, continueAsNewSuggested: true }),
  patched: () => true,
  condition: async () => undefined,
  continueAsNew: continued,
}));
beforeEach(() => continued.mockReset());

/** A pen whose last commit takes as long as `meanwhile`. */
const writerWith = (meanwhile: () => void) => ({
  dirty: false,
  highestAcknowledged: 7,
  log: { state: () => ({ next: 3 }) },
  flush: async () => meanwhile(),
});

type Change = (turn: TurnState & { stop: { requested: boolean } }) => void;

async function continueTurn(meanwhile: Change): Promise<Record<string, unknown> | 'stays'> {
  const now = { sandbox: 'workspace-write', approval: 'on-request' };
  const turn = {
    input: { turn: 1 },
    assembly: {},
    calledFor: [],
    composedUnder: now,
    permissions: { now },
    notices: [],
    startContexts: [],
    news: [],
    steering: { state: () => [] },
    injected: { state: () => [] },
    stop: { requested: false },
    writer: writerWith(() => meanwhile(turn)),
  } as unknown as Parameters<Change>[0];
  await continueTurnIfDue(turn);
  return continued.mock.calls[0]?.[0].carried ?? 'stays';
}

const reason = { content: [text('not yet')], source: { kind: 'plugin' as const, plugin: 'hook' } };

test('a turn hands on why it goes on, and what it called the session', async () => {
  const carried = await continueTurn((turn) => Object.assign(turn, { reason, title: 'about it' }));
  expect(carried).toMatchObject({ reason, title: 'about it', nextEvent: 3 });
});

test.each<[string, Change]>([
  ['a cancel', (turn) => (turn.stop.requested = true)],
  ['a change of permissions', (turn) => (turn.permissions.now = { ...turn.composedUnder! })],
  ['what the model is to be told of one', (turn) => turn.notices.push('read-only now')],
  ['what a listener to the start has to say', (turn) => turn.startContexts.push({ ...reason })],
  ['what the folder says anew', (turn) => turn.news.push({ ...reason } as unknown as TurnState['news'][number])],
  ['a skill that is called for', (turn) => turn.calledFor.push(['a-skill'])],
])('a turn stays for %s that comes with its last commit', async (_what, meanwhile) => {
  expect(await continueTurn(meanwhile)).toBe('stays');
});

test('a program that is ended with its last commit does not go on', async () => {
  const program = {
    input: {},
    step: {
      input: {},
      permissions: {},
      writer: writerWith(() => Object.assign(program, { over: { kind: 'stopped' } })),
    },
    time: { spentMs: () => 0 },
  } as unknown as ProgramState;
  expect(await continueProgram(program)).toBeUndefined();
  expect(continued).not.toHaveBeenCalled();
});

test('nor does a loop that is stopped then', async () => {
  const stop = { requested: false };
  const loop = {
    input: {},
    previous: 'sub-1',
    stop,
    permissions: {},
    writer: writerWith(() => (stop.requested = true)),
  };
  expect(await continueLoop(loop as unknown as LoopState)).toBeUndefined();
  expect(continued).not.toHaveBeenCalled();
});
