import { beforeEach, describe, expect, test } from 'vitest';
import { text } from './content.ts';
import type { CallId, EventId } from './ids.ts';
import { SessionLog } from './session-log.ts';

const user = { kind: 'user' as const };
const call = 'c1' as CallId;
let clock = 0;
const now = () => (clock += 1);
beforeEach(() => {
  clock = 0;
});

function turnLog(turn = 1) {
  const log = new SessionLog({ author: `t${turn}`, generation: 2, now });
  log.append('turn/start', { turn, trigger: { kind: 'message', source: user } });
  return log;
}

function stepLog() {
  const log = new SessionLog({ author: 't1.s1', generation: 2, now });
  log.append('step/start', { turn: 1, step: 1 });
  return log;
}

const result = (fields: object = {}) => ({
  turn: 1,
  step: 1,
  callId: call,
  content: [text('ok')],
  isError: false,
  ...fields,
});
const refusal = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });
const name = (eid: string) => eid as EventId;

describe('enclosure', () => {
  test('a session numbers its turns and writes into a turn it handed over', () => {
    const log = new SessionLog({ author: 'session', generation: 1, now, lastTurn: 4 });
    expect(() => log.append('todo/write', { todos: [] })).toThrow(
      refusal('DOMAIN_INVALID_ENCLOSURE', 'no turn is open'),
    );
    expect(() => log.append('turn/start', { turn: 4, trigger: { kind: 'injection', source: user } })).toThrow(
      'turn 4 cannot follow turn 4',
    );
    log.append('turn/start', { turn: 5, trigger: { kind: 'injection', source: user } });
    log.append('turn/end', { turn: 5, reason: { kind: 'completed' } });
    log.observe({ type: 'turn/start', turn: 6 });
    log.append('todo/write', { todos: [] });
    log.observe({ type: 'turn/end', turn: 6 });
    expect(() => log.observe({ type: 'turn/end', turn: 6 })).toThrow(
      refusal('DOMAIN_INVALID_ENCLOSURE', 'no turn is open'),
    );
    expect(log.state()).toMatchObject({ lastTurn: 6, open: {} });
  });

  test('a turn opens and closes itself around steps written by others', () => {
    const log = turnLog(2);
    expect(() => log.append('turn/start', { turn: 3, trigger: { kind: 'message', source: user } })).toThrow(
      'turn 2 is still open',
    );
    log.observe({ type: 'step/start', turn: 2, step: 1 });
    expect(() => log.append('turn/end', { turn: 2, reason: { kind: 'completed' } })).toThrow('step 1 is still open');
    log.append('step/end', { turn: 2, step: 1 });
    expect(() => log.observe({ type: 'step/start', turn: 2, step: 3 })).toThrow('step 3 cannot follow step 1');
    expect(() => log.append('prompt/blocked', { content: [], source: user, reason: 'late' })).toThrow(
      'before the first step',
    );
    expect(() =>
      log.append('steering/message', { turn: 1, content: [], source: user }, { surfaceOp: 'append' }),
    ).toThrow('turn 1 is not the open turn 2');
    const failure = { message: 'busy', code: 'RATE_LIMIT' };
    log.append('llm/retry', { turn: 2, step: 1, retry: 1, maxRetries: 2, delayMs: 500, failure });
    log.append('turn/end', { turn: 2, reason: { kind: 'error', step: 1, failure } });
    expect(() => log.append('todo/write', { todos: [] })).toThrow('no turn is open');
  });

  test('a turn author writes no other turn', () => {
    const log = new SessionLog({ author: 't2', generation: 1, now });
    expect(() => log.append('turn/start', { turn: 3, trigger: { kind: 'message', source: user } })).toThrow(
      'turn 3 cannot follow turn 1',
    );
  });

  test('a step opens itself, pairs results with calls and forgets them when it ends', () => {
    const log = stepLog();
    expect(() => log.append('tool/result', result(), { surfaceOp: 'append' })).toThrow('no call "c1" is pending');
    log.append('tool/call', { turn: 1, step: 1, callId: call, name: 'read', arguments: '{' });
    log.append('tool/result', result(), { surfaceOp: 'append', sources: [name('t1.s1~2/1')] });
    expect(() => log.append('tool/result', result(), { surfaceOp: 'append' })).toThrow('no call "c1" is pending');
    log.append('tool/call', { turn: 1, step: 1, callId: call, name: 'read', arguments: '{}' });
    log.append('step/end', { turn: 1, step: 1 });
    expect(() => log.append('tool/result', result(), { surfaceOp: 'append' })).toThrow('no step is open');
  });

  test('recovery answers what never started, and knows calls of the dead by name', () => {
    const log = new SessionLog({
      author: 'session',
      generation: 3,
      now,
      open: { turn: 1, step: 1 },
      pendingCalls: [call],
    });
    const unknown = { name: 'ToolOutcomeUnknownError', code: 'TOOL_OUTCOME_UNKNOWN' };
    const unstarted = { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' };
    log.append('tool/result', result({ isError: true, error: unknown }), { surfaceOp: 'append' });
    expect(() => log.append('tool/result', result({ isError: true, error: unknown }), { surfaceOp: 'append' })).toThrow(
      'pending',
    );
    log.append('tool/result', result({ callId: 'c2', isError: true, error: unstarted }), { surfaceOp: 'append' });
    log.append('step/end', { turn: 1, step: 1 });
    log.append('turn/end', { turn: 1, reason: { kind: 'interrupted' } });
    expect(log.state()).toMatchObject({ open: {}, lastTurn: 1, next: 4 });
  });

  test('results follow the order of the message when the author has seen it', () => {
    const log = stepLog();
    const block = (id: string) => ({ type: 'tool-call' as const, id: id as CallId, name: 'read', arguments: '{}' });
    log.append(
      'assistant/message',
      { turn: 1, step: 1, content: [block('c1'), block('c2')], provenance: { provider: 'p', model: 'm' } },
      { surfaceOp: 'append', sources: [] },
    );
    for (const callId of ['c1', 'c2'] as CallId[])
      log.append('tool/call', { turn: 1, step: 1, callId, name: 'read', arguments: '{}' });
    expect(() => log.append('tool/result', result({ callId: 'c2' }), { surfaceOp: 'append' })).toThrow(
      '"c1" is next, not "c2"',
    );
  });

  test('a model activity writes its chunks and no boundary', () => {
    const log = new SessionLog({ author: 't1.s1.model', generation: 2, now });
    log.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'finish', reason: { kind: 'stop' } } });
    expect(() =>
      log.append('assistant/chunk', { turn: 1, step: 2, chunk: { type: 'finish', reason: { kind: 'stop' } } }),
    ).toThrow('step 2 is not the open step 1');
    expect(() => log.append('step/end', { turn: 1, step: 1 })).toThrow('a part author does not write');
  });

  test('an approval is asked once, decided once, and not left open by a turn that ends in order', () => {
    const log = turnLog();
    log.append('approval/asked', { id: 'a1', toolName: 'bash' });
    expect(() => log.append('approval/asked', { id: 'a1', toolName: 'bash' })).toThrow(
      'approval "a1" was opened before',
    );
    expect(() => log.append('turn/end', { turn: 1, reason: { kind: 'completed' } })).toThrow(
      'approval "a1" is still open',
    );
    log.append('approval/decided', { id: 'a1', outcome: 'rejected' });
    expect(() => log.append('approval/decided', { id: 'a1', outcome: 'rejected' })).toThrow(
      'approval "a1" is not open',
    );
    log.append('turn/end', { turn: 1, reason: { kind: 'completed' } });
  });

  test('nobody is asked outside a turn: nothing is written', () => {
    const log = new SessionLog({ author: 'session', generation: 1, now });
    expect(() => log.append('approval/asked', { id: 'a1', toolName: 'bash' })).toThrow('no turn is open');
    expect(log.pending()).toEqual([]);
  });

  test('an author has a name of the known form', () => {
    expect(() => new SessionLog({ author: 'me' as never, generation: 1, now })).toThrow('"me" is no author');
  });
});
