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

describe('append', () => {
  test('names, stamps, freezes and keeps an event, detached from the caller', () => {
    const log = turnLog(3);
    const content = [text('hello')];
    const event = log.append('user/message', { content, source: user }, { surfaceOp: 'append' });
    content.push(text('later'));
    expect(event).toEqual({
      eid: 't3~2/1',
      type: 'user/message',
      time: 2,
      data: { content: [{ type: 'text', text: 'hello' }], source: { kind: 'user' } },
      surfaceOp: 'append',
    });
    expect(Object.isFrozen(event.data)).toBe(true);
    expect(log.pending().map(({ eid }) => eid)).toEqual(['t3~2/0', 't3~2/1']);
  });

  test('takes large members by reference, in these members only', () => {
    const log = turnLog();
    const ref = { $blob: 'a'.repeat(64), bytes: 40_000 } as never;
    log.append('user/message', { content: ref, source: user }, { surfaceOp: 'append' });
    expect(() => log.append('user/message', { content: [text('x')], source: ref }, { surfaceOp: 'append' })).toThrow(
      refusal('DOMAIN_INVALID_EVENT', 'user/message.data.source'),
    );
    expect(() =>
      log.append(
        'user/message',
        { content: { $blob: 'short', bytes: 1 } as never, source: user },
        { surfaceOp: 'append' },
      ),
    ).toThrow(refusal('DOMAIN_INVALID_EVENT', 'user/message.data.content.$blob'));
  });

  test('a refused event leaves no trace', () => {
    const log = turnLog();
    const before = log.state();
    expect(() => log.append('step/start', { turn: 1, step: 1 })).toThrow('a turn author does not write');
    expect(() => log.append('todo/write', { todos: [{ content: 'x', status: 'done' as never }] })).toThrow(
      refusal('DOMAIN_INVALID_EVENT', 'todo/write.data.todos[0].status'),
    );
    expect(() => log.append('todo/write', { todos: [], extra: 1 } as never)).toThrow(
      refusal('DOMAIN_INVALID_EVENT', 'extra'),
    );
    expect(() => log.append('todo/write', { todos: undefined } as never)).toThrow(
      refusal('DOMAIN_NOT_JSON', 'data.todos'),
    );
    expect(() => (log as unknown as { append(type: string, data: object): void }).append('todo/written', {})).toThrow(
      refusal('DOMAIN_UNKNOWN_VARIANT', 'todo/written'),
    );
    expect(log.state()).toEqual(before);
  });

  test.each([
    ['no surface on a surface type', undefined, 'say where'],
    ['an unknown operation', { surfaceOp: 'prepend' }, 'surface.surfaceOp'],
    ['no sources in a list', { surfaceOp: 'append', sources: [] }, 'at least one event'],
    ['itself as a source', { surfaceOp: 'append', sources: ['t1~2/1'] }, 'not an earlier event'],
    ['a later event of its author', { surfaceOp: 'append', sources: ['t1~2/7'] }, 'not an earlier event'],
    ['a name twice', { surfaceOp: 'append', sources: ['t1~2/0', 't1~2/0'] }, 'listed twice'],
    [
      'overlapping ranges',
      {
        surfaceOp: 'append',
        sources: [
          { from: 4, to: 9 },
          { from: 1, to: 4 },
        ],
      },
      'listed twice',
    ],
    ['a range backwards', { surfaceOp: 'append', sources: [{ from: 4, to: 3 }] }, 'ends before it begins'],
    ['a replacement without sources', { surfaceOp: { op: 'replace', start: 1, end: 1 } }, 'lists the nodes it shadows'],
    [
      'a bound that is not earlier',
      { surfaceOp: { op: 'replace', start: 1, end: 't1~2/4' }, sources: ['t1~2/0'] },
      'replace bound',
    ],
  ])('refuses %s', (_what, surface, message) => {
    const log = turnLog();
    expect(() => log.append('user/message', { content: [text('x')], source: user }, surface as never)).toThrow(
      refusal('DOMAIN_INVALID_SURFACE', message),
    );
  });

  test('refuses surface metadata where it has no place', () => {
    const log = turnLog() as unknown as { append(...args: unknown[]): void };
    expect(() => log.append('todo/write', { todos: [] }, { surfaceOp: 'append' })).toThrow(
      refusal('DOMAIN_INVALID_SURFACE', 'does not stand on the surface'),
    );
  });

  test('positional replacements may run backwards by number', () => {
    const log = turnLog();
    const event = log.append(
      'user/message',
      { content: [text('summary')], source: { kind: 'plugin', plugin: 'compact' } },
      { surfaceOp: { op: 'replace', start: 9, end: 4 }, sources: [{ from: 4, to: 9 }, name('t1~2/0')] },
    );
    expect(event.surfaceOp).toEqual({ op: 'replace', start: 9, end: 4 });
  });
});

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

  test('an author has a name of the known form', () => {
    expect(() => new SessionLog({ author: 'me' as never, generation: 1, now })).toThrow('"me" is no author');
  });
});

describe('acknowledge', () => {
  test('takes acknowledged events out, remembers numbers and takes repetitions and other authors', () => {
    const log = turnLog();
    log.append('todo/write', { todos: [] });
    log.acknowledge([{ eid: name('t1~2/0'), seq: 7, time: 1 }]);
    log.acknowledge([
      { eid: name('t1~2/0'), seq: 7, time: 1 },
      { eid: name('t1~2/1'), seq: 9, time: 2 },
      { eid: name('t1.s1.model~2/0'), seq: 12, time: 2 },
    ]);
    expect(log.pending()).toEqual([]);
    expect([log.seqOf(name('t1~2/0')), log.seqOf(name('t1.s1.model~2/0')), log.seqOf(name('t1~2/2'))]).toEqual([
      7,
      12,
      undefined,
    ]);
    expect(log.highestAcknowledged).toBe(12);
  });

  test('refuses numbers out of order, changed ones and names never given', () => {
    const log = turnLog();
    log.append('todo/write', { todos: [] });
    const ack = (n: number, seq: number) => log.acknowledge([{ eid: name(`t1~2/${n}`), seq, time: 1 }]);
    expect(() => ack(1, 3)).toThrow(refusal('DOMAIN_INVALID_ACK', 't1~2/1 got number 3 before t1~2/0'));
    ack(0, 3);
    expect(() => ack(1, 3)).toThrow(refusal('DOMAIN_INVALID_ACK', 'not above'));
    expect(() => ack(0, 4)).toThrow(refusal('DOMAIN_INVALID_ACK', 'is number 3 and was answered as 4'));
    expect(() => ack(2, 4)).toThrow(refusal('DOMAIN_INVALID_ACK', 'never named'));
    expect(log.pending().map(({ eid }) => eid)).toEqual(['t1~2/1']);
  });

  test('withdraws what was refused for good without reusing its name', () => {
    const log = turnLog();
    const { eid } = log.append('todo/write', { todos: [] });
    expect(log.withdraw([eid]).map((event) => event.eid)).toEqual([eid]);
    expect(log.append('todo/write', { todos: [] }).eid).toBe('t1~2/2');
    expect(log.pending().map((event) => event.eid)).toEqual(['t1~2/0', 't1~2/2']);
  });

  test('goes on in the next run exactly where this one stopped', () => {
    const log = turnLog();
    log.acknowledge([{ eid: name('t1~2/0'), seq: 0, time: 1 }]);
    log.append('todo/write', { todos: [] });
    const state = JSON.parse(JSON.stringify(log.state()));
    const next = new SessionLog({ ...state, author: 't1', now });
    expect(next.state()).toEqual(log.state());
    expect(next.append('todo/write', { todos: [] }).eid).toBe('t1~2/2');
    expect(next.highestAcknowledged).toBe(0);
  });
});
