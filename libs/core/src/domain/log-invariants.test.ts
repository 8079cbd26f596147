import { describe, expect, test } from 'vitest';
import { text } from './content.ts';
import type { SessionEvent } from './events.ts';
import { loadLog, parseSessionEvent } from './load-log.ts';
import { checkLog } from './log-invariants.ts';

const source = { kind: 'user' };
const at = { turn: 1, step: 1 };
const provenance = { provider: 'p', model: 'm' };
const call = (id: string) => ({ type: 'tool-call', id, name: 'n', arguments: '{}' });
const chunk = { ...at, chunk: { type: 'text-delta', index: 0, text: 'x' } };
const append = { surfaceOp: 'append' };
const result = (callId: string, more: object = {}) => ({
  type: 'tool/result',
  data: { ...at, callId, content: [], isError: false, ...more },
  ...append,
});

/** A turn with two calls, a context and a final answer; what each test breaks. */
const sound: object[] = [
  { type: 'turn/start', data: { turn: 1, trigger: { kind: 'message', source } } },
  { type: 'user/message', data: { content: [text('go')], source }, ...append },
  { type: 'step/start', data: at },
  { type: 'request/header', data: { header: { config: { provider: 'p', model: 'm' } }, reason: 'initial' } },
  { type: 'assistant/chunk', data: chunk },
  { type: 'assistant/chunk', data: chunk },
  {
    type: 'assistant/message',
    data: { ...at, content: [call('a'), call('b')], provenance },
    ...append,
    sourceEventSeqs: [4, 5],
  },
  { type: 'tool/call', data: { ...at, callId: 'a', name: 'n', arguments: '{}' } },
  { type: 'tool/call', data: { ...at, callId: 'b', name: 'n', arguments: '{}' } },
  { ...result('a'), sourceEventSeqs: [7] },
  { ...result('b'), sourceEventSeqs: [8] },
  { type: 'context/message', data: { content: [], source }, ...append },
  { type: 'step/end', data: at },
  { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
  { type: 'turn/start', data: { turn: 2, trigger: { kind: 'injection', source } } },
  { type: 'context/message', data: { content: [], source }, ...append },
  { type: 'turn/end', data: { turn: 2, reason: { kind: 'completed' } } },
];
const numbered = (drafts: object[]) =>
  drafts.map((draft, seq) => ({ ...draft, seq, time: seq }) as unknown as SessionEvent);
const changed = (index: number, change: object) =>
  numbered(sound.map((draft, at_) => (at_ === index ? { ...draft, ...change } : draft)));
const without = (...indices: number[]) => numbered(sound.filter((_draft, index) => !indices.includes(index)));
const swapped = (a: number, b: number) => numbered(sound.with(a, sound[b] as object).with(b, sound[a] as object));

describe('checkLog', () => {
  test('a sound log', () => {
    expect(checkLog({ events: numbered(sound), tail: 'closed' })).toEqual([]);
    expect(checkLog({ events: [], tail: 'closed' })).toEqual([]);
  });

  test.each<[string, SessionEvent[], object[]]>([
    [
      'a bare event between turns',
      numbered([...sound, { type: 'todo/write', data: { todos: [] } }]),
      [{ seq: 17, rule: 'enclosure', message: 'no turn is open' }],
    ],
    [
      'a turn number twice',
      changed(14, { data: { turn: 1, trigger: { kind: 'injection', source } } }),
      [
        { seq: 14, rule: 'enclosure', message: 'turn 1 cannot follow turn 1' },
        { seq: 16, rule: 'enclosure', message: 'turn 2 is not the open turn 1' },
      ],
    ],
    [
      'a step number left out',
      changed(2, { data: { turn: 1, step: 2 } }),
      expect.arrayContaining([{ seq: 2, rule: 'enclosure', message: 'step 2 cannot follow step 0' }]),
    ],
    [
      'a turn that ends in its step',
      swapped(12, 13),
      expect.arrayContaining([{ seq: 12, rule: 'enclosure', message: 'step 1 is still open' }]),
    ],
    [
      'a result without a call',
      without(8),
      expect.arrayContaining([{ seq: 9, rule: 'enclosure', message: 'no call "b" is pending in this step' }]),
    ],
    [
      'results out of order',
      swapped(9, 10),
      [
        { seq: 9, rule: 'enclosure', message: 'results come in model order: "a" is next, not "b"' },
        { seq: 10, rule: 'enclosure', message: expect.stringContaining('results come in model order') },
      ],
    ],
    [
      'a call without a result',
      without(10),
      [{ seq: 11, rule: 'dangling-call', message: 'call "b" has no result at the end of its step' }],
    ],
    [
      'chunks that are not the sources',
      changed(6, { sourceEventSeqs: [4] }),
      [{ seq: 6, rule: 'sources', message: expect.stringContaining('exactly') }],
    ],
    [
      'a result that cites another call',
      changed(10, { sourceEventSeqs: [7] }),
      [{ seq: 10, rule: 'sources', message: 'sourceEventSeqs does not list the tool/call 8' }],
    ],
    [
      'a surface event that does not say where',
      changed(1, { surfaceOp: undefined }),
      [{ seq: 1, rule: 'surface', message: expect.stringContaining('surfaceOp is missing') }],
    ],
    [
      'a payload that is off',
      changed(11, { data: { content: [], source, extra: 1 } }),
      [{ seq: 11, rule: 'payload', message: expect.stringContaining('extra') }],
    ],
    [
      'a number left out',
      numbered(sound).filter(({ seq }) => seq !== 11),
      [{ seq: 12, rule: 'number', message: 'number 12 stands where 11 belongs' }],
    ],
    [
      'time running back',
      numbered(sound).map((event) => (event.seq === 11 ? { ...event, time: 3 } : event)) as SessionEvent[],
      [{ seq: 11, rule: 'time', message: 'time 3 is before 10' }],
    ],
    ['an open tail', numbered(sound.slice(0, 12)), [{ seq: 11, rule: 'enclosure', message: 'turn 1 is still open' }]],
  ])('finds %s', (_what, events, violations) => {
    expect(checkLog({ events, tail: 'closed' })).toEqual(violations);
  });

  test('known gaps are no violation, and the sources of a message may lie in one', () => {
    const events = numbered(sound).filter(({ seq }) => seq !== 4 && seq !== 5);
    expect(
      checkLog({
        events,
        gaps: [
          { from: 5, to: 5 },
          { from: 4, to: 4 },
        ],
      }),
    ).toEqual([]);
    expect(checkLog({ events })).toMatchObject([
      { seq: 6, rule: 'number' },
      { seq: 6, rule: 'sources' },
    ]);
  });

  test('recovery may answer a call that never started, and a pruned copy stands outside its step', () => {
    const unstarted = {
      ...result('b', { isError: true, error: { name: 'ToolNotStartedError', code: 'TOOL_NOT_STARTED' } }),
    };
    const events = without(8).map((event) =>
      event.seq === 9 ? { ...event, ...unstarted, sourceEventSeqs: undefined } : event,
    );
    expect(
      checkLog({
        events: events.map(({ sourceEventSeqs, ...rest }) => ({
          ...rest,
          ...(sourceEventSeqs && { sourceEventSeqs }),
        })) as SessionEvent[],
      }),
    ).toEqual([]);
    const pruned = { ...result('a'), surfaceOp: { op: 'replace', start: 9, end: 9 }, sourceEventSeqs: [9] };
    expect(checkLog({ events: numbered([...sound.slice(0, 15), pruned, ...sound.slice(15)]) })).toEqual([]);
  });
});

describe('loadLog', () => {
  test('gives back what was stored, frozen', () => {
    const rows = numbered(sound);
    const loaded = loadLog({ rows });
    expect(loaded).toEqual(rows);
    expect(Object.isFrozen(loaded[6]?.data)).toBe(true);
  });

  test('refuses the first broken rule by number', () => {
    expect(() => loadLog({ rows: without(10) })).toThrow(
      expect.objectContaining({
        code: 'DOMAIN_CORRUPT_LOG',
        message: expect.stringMatching(/^event 11 .*dangling-call/),
      }),
    );
  });

  test.each([
    ['an unknown type', { type: 'new/thing', seq: 3, time: 0, data: {} }, 'event 3: unknown event type "new/thing"'],
    [
      'a retired type, whatever it says',
      { type: 'request/header-delta', seq: 3, time: 0, data: {}, ignorable: true },
      'request/header-delta',
    ],
    ['an unknown member', { type: 'step/end', seq: 3, time: 0, data: at, extra: 1 }, 'extra'],
    ['a fractional number', { type: 'step/end', seq: 0.5, time: 0, data: at }, 'event.seq'],
    ['an odd surfaceOp', { ...sound[1], seq: 3, time: 0, surfaceOp: { op: 'insert', at: 1 } }, 'event.surfaceOp'],
    ['a bad payload', { type: 'step/end', seq: 3, time: 0, data: { turn: 1 } }, 'event 3: step/end.data.step'],
    ['no object', 'x', 'event'],
  ])('refuses %s', (_what, row, message) => {
    expect(() => parseSessionEvent(row)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });

  test('skips an unknown event that says it may be skipped, and keeps its number', () => {
    const rows = numbered([
      ...sound.slice(0, 11),
      { type: 'new/thing', data: { a: 1 }, ignorable: true },
      ...sound.slice(11),
    ]);
    expect(loadLog({ rows })).toHaveLength(18);
  });
});
