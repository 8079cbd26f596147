import { describe, expect, test } from 'vitest';
import { text } from './content.ts';
import type { SessionEvent } from './events.ts';
import { CallId } from './ids.ts';
import { checkLog } from './log-invariants.ts';
import './program-events.ts';
import { openSubCalls, recoverTail } from './recovery.ts';
import type { RecoverTailResult, RecoveryEvent } from './recovery.ts';
import type { SettledCall } from './recovery-results.ts';
import { SessionLog } from './session-log.ts';

const provenance = { provider: 'p', model: 'm' };
const source = { kind: 'user' as const };
const call = (id: string) => ({ type: 'tool-call' as const, id: CallId.parse(id), name: 'bash', arguments: '{}' });
const at = { turn: 1, step: 1 };

type Draft = SessionEvent extends infer E ? (E extends { seq: number } ? Omit<E, 'seq' | 'time'> : never) : never;
const number = (drafts: Draft[]): SessionEvent[] =>
  drafts.map((draft, seq) => ({ ...draft, seq, time: 10 * seq }) as SessionEvent);

const started: Draft[] = [
  { type: 'turn/start', data: { turn: 1, trigger: { kind: 'message', source } } },
  { type: 'user/message', data: { content: [text('go')], source }, surfaceOp: 'append' },
  { type: 'step/start', data: at },
  {
    type: 'assistant/message',
    data: { ...at, content: [text('I run'), call('a'), call('b'), call('c')], provenance },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  },
  { type: 'tool/call', data: { ...at, callId: CallId.parse('a'), name: 'bash', arguments: '{}' } },
  { type: 'tool/call', data: { ...at, callId: CallId.parse('b'), name: 'bash', arguments: '{}' } },
  {
    type: 'tool/result',
    data: { ...at, callId: CallId.parse('a'), content: [], isError: false },
    surfaceOp: 'append',
    sourceEventSeqs: [4],
  },
];

/** Writes the closers as the recovering author does and returns the whole log. */
function repaired(events: SessionEvent[], { open, pendingCalls, closers, time }: RecoverTailResult): SessionEvent[] {
  const log = new SessionLog({ author: 'session', generation: 2, open, pendingCalls, now: () => time });
  for (const closer of closers) {
    if (closer.type === 'tool/result') log.append(closer.type, closer.data, closer.surface);
    else log.append(closer.type, closer.data as never);
  }
  return [
    ...events,
    ...log.pending().map((event, index) => {
      const { eid: _eid, sources, ...rest } = event;
      return {
        ...rest,
        ...(sources && { sourceEventSeqs: sources.map((one) => (typeof one === 'string' ? -1 : one.from)) }),
        seq: events.length + index,
      } as SessionEvent;
    }),
  ];
}

const codes = (log: SessionEvent[]) =>
  log.flatMap((event) => (event.type === 'tool/result' ? [event.data.error?.code ?? 'ok'] : []));

describe('recoverTail', () => {
  test('a program that made a call did something, though it has no claim of its own', () => {
    const sub = { rootCallId: CallId.parse('b'), parentCallId: CallId.parse('b'), subCallId: CallId.parse('b:ptc:1') };
    const dispatched: Draft = { type: 'tool/ptc-dispatch-start', data: { ...sub, name: 'bash', arguments: '{}' } };
    const calls = new Map([1, 2].map((index): [number, SettledCall] => [index, { state: 'not-started' }]));
    const events = number([...started, dispatched]);
    const log = repaired(events, recoverTail({ events, calls }));
    expect(codes(log)).toEqual(['ok', 'TOOL_OUTCOME_UNKNOWN', 'TOOL_NOT_STARTED']);
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
  });

  test('calls of a program that were under way settle before it does: by their claims, else as unknown', () => {
    const root = CallId.parse('b');
    const sub = (n: number) => ({
      rootCallId: root,
      parentCallId: root,
      subCallId: CallId.parse(`b:ptc:${n}`),
      name: 'bash',
      arguments: '{}',
    });
    const begun = [1, 2, 3, 4].map((n): Draft => ({ type: 'tool/ptc-dispatch-start', data: sub(n) }));
    const ended: Draft = { type: 'tool/ptc-dispatch', data: { ...sub(2), content: [], isError: false } };
    const events = number([...started, ...begun, ended]);
    const subCalls = new Map<CallId, SettledCall>([
      [sub(1).subCallId, { state: 'done', result: { content: [text('made it')], isError: false, meta: {} } }],
      [sub(3).subCallId, { state: 'not-started' }],
    ]);
    expect(openSubCalls(events).map(({ subCallId }) => subCallId)).toEqual(['b:ptc:1', 'b:ptc:3', 'b:ptc:4']);
    const log = repaired(events, recoverTail({ events, subCalls }));
    const written = log.slice(events.length);
    expect(written.slice(0, 3).map(({ type, data }) => [type, data])).toMatchObject([
      ['tool/ptc-dispatch', { ...sub(1), content: [text('made it')], isError: false }],
      ['tool/ptc-dispatch', { ...sub(3), isError: true, error: { code: 'TOOL_NOT_STARTED' } }],
      ['tool/ptc-dispatch', { ...sub(4), isError: true, error: { code: 'TOOL_OUTCOME_UNKNOWN' } }],
    ]);
    expect(written.slice(3).map(({ type }) => type)).toEqual(['tool/result', 'tool/result', 'step/end', 'turn/end']);
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
    expect(openSubCalls(log)).toEqual([]);
  });

  test('what was asked and never decided is cancelled, and a hook that was seen to begin has an end', () => {
    const ask = (id: string): Draft => ({ type: 'approval/asked', data: { id, toolName: 'bash' } });
    const hook = { turn: 1, point: 'tools/pre-execute', handlerId: 'claude.PreToolUse.0' };
    const events = number([
      ...started,
      ask('t1.s1.c1'),
      { type: 'approval/decided', data: { id: 't1.s1.c1', outcome: 'allowed-once' } },
      ask('t1.s1.c1.2'),
      { type: 'hook/invoked', data: { ...hook, dialect: 'claude' } },
    ]);
    // A log of only what the recovering author writes has not seen what it closes.
    const [approval, ended, ...rest] = recoverTail({ events }).closers as Draft[];
    const closed = [
      ...events,
      ...[approval, ended].map((event, n) => ({ ...event, seq: events.length + n, time: 100 })),
    ];
    const log = repaired(closed as SessionEvent[], { ...recoverTail({ events }), closers: rest as RecoveryEvent[] });
    expect(log.slice(events.length, events.length + 2)).toMatchObject([
      { type: 'approval/decided', data: { id: 't1.s1.c1.2', outcome: 'cancelled' } },
      { type: 'hook/result', data: { ...hook, decision: 'pass' } },
    ]);
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
    expect(recoverTail({ events: log }).closers).toEqual([]);
  });

  test('tells unknown from never started, by the log alone', () => {
    const events = number(started);
    const recovered = recoverTail({ events });
    expect(recovered).toMatchObject({ open: at, pendingCalls: ['b'], time: 60 });
    expect(recovered.closers.map(({ type }) => type)).toEqual(['tool/result', 'tool/result', 'step/end', 'turn/end']);
    const log = repaired(events, recovered);
    expect(codes(log)).toEqual(['ok', 'TOOL_OUTCOME_UNKNOWN', 'TOOL_NOT_STARTED']);
    expect(log.at(7)).toMatchObject({ sourceEventSeqs: [5], time: 60 });
    expect(log.at(8)).not.toHaveProperty('sourceEventSeqs');
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
    expect(recoverTail({ events: log })).toEqual({ open: {}, pendingCalls: [], closers: [], time: 60 });
  });

  test('claims know better: real results, and calls that never began', () => {
    const events = number(started);
    const done: SettledCall = {
      state: 'done',
      result: { content: [text('made it')], isError: false, meta: { exitCode: 0 } },
    };
    const log = repaired(
      events,
      recoverTail({
        events,
        calls: new Map<number, SettledCall>([
          [1, { state: 'not-started' }],
          [2, done],
        ]),
      }),
    );
    expect(codes(log)).toEqual(['ok', 'TOOL_NOT_STARTED', 'ok']);
    expect(log.map(({ type }) => type).slice(7)).toEqual([
      'tool/result',
      'tool/call',
      'tool/result',
      'step/end',
      'turn/end',
    ]);
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
  });

  test.each(started.map((_draft, index) => index + 1))('repairs a log cut after %i events', (length) => {
    const events = number(started.slice(0, length));
    const log = repaired(events, recoverTail({ events }));
    expect(checkLog({ events: log, tail: 'closed' })).toEqual([]);
    expect(log.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'interrupted' } } });
  });

  test('an empty log needs nothing', () => {
    expect(recoverTail({ events: [] })).toEqual({ open: {}, pendingCalls: [], closers: [], time: 0 });
  });
});
