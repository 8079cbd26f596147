import { beforeEach, describe, expect, test } from 'vitest';
import { text } from './content.ts';
import type { EventId } from './ids.ts';
import { SessionLog } from './session-log.ts';

const user = { kind: 'user' as const };
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
