import { expect, test } from 'vitest';
import { text } from './content.ts';
import { CallId } from './ids.ts';
import { importSteps, readImportedLog } from './import-log.ts';

const source = { kind: 'user' };
const at = { turn: 1, step: 1 };
const provenance = { provider: 'p', model: 'm' };
const call = { type: 'tool-call', id: CallId.parse('c'), name: 'bash', arguments: '{}' };
const turn = [
  { type: 'turn/start', seq: 0, time: 5, data: { turn: 1, trigger: { kind: 'message', source } } },
  { type: 'user/message', seq: 1, time: 5, data: { content: [text('go')], source }, surfaceOp: 'append' },
];
const inStep = [
  { type: 'step/start', seq: 2, time: 6, data: at },
  {
    type: 'assistant/message',
    seq: 3,
    time: 7,
    data: { ...at, content: [call], provenance },
    surfaceOp: 'append',
    sourceEventSeqs: [],
  },
  { type: 'tool/call', seq: 4, time: 8, data: { ...at, callId: 'c', name: 'bash', arguments: '{}' } },
];
const ended = { type: 'turn/end', seq: 2, time: 9, data: { turn: 1, reason: { kind: 'completed' } } };
const lines = (...events: unknown[]) => events.map((event) => JSON.stringify(event));

test('a log that is closed is taken as it is', () => {
  expect(readImportedLog(lines(...turn, ended))).toEqual({ kind: 'log', events: [...turn, ended] });
});

test('a long log is read in slices', () => {
  const step = (n: number) => ({ type: 'step/start', seq: 2 + n * 2, time: 8, data: { turn: 1, step: n + 1 } });
  const steps = Array.from({ length: 500 }, (_, n) => [
    step(n),
    { type: 'step/end', seq: 3 + n * 2, time: 8, data: { turn: 1, step: n + 1 } },
  ]).flat();
  const given = lines(...turn, ...steps, { ...ended, seq: 1_002 });
  const reading = importSteps(given);
  let slices = 1;
  let read = reading.next();
  for (; !read.done; read = reading.next()) slices += 1;
  expect([slices, read.value]).toEqual([5, readImportedLog(given)]);
  expect(read.value).toMatchObject({ kind: 'log' });
});

test('a turn that was open is closed as after a crash, with the numbers and the time that come next', () => {
  const read = readImportedLog(lines(...turn, ...inStep));
  expect(read.kind === 'log' && read.events.slice(5)).toMatchObject([
    {
      type: 'tool/result',
      seq: 5,
      time: 8,
      surfaceOp: 'append',
      sourceEventSeqs: [4],
      data: { callId: 'c', isError: true, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
    },
    { type: 'step/end', seq: 6, time: 8 },
    { type: 'turn/end', seq: 7, time: 8, data: { reason: { kind: 'interrupted' } } },
  ]);
});

test.each<[string, string[], object]>([
  ['no event', [], { code: 'IMPORT_EMPTY' }],
  ['a line that is no JSON', [...lines(turn[0]), '{"type":'], { code: 'IMPORT_INVALID_JSON', line: 2 }],
  ['an envelope with more in it', lines({ ...turn[0], tenant: 'acme' }), { code: 'IMPORT_INVALID_EVENT', line: 1 }],
  ['a payload that is none', lines({ ...turn[0], data: { turn: 'one' } }), { code: 'IMPORT_INVALID_EVENT', line: 1 }],
  [
    'a reference to a value kept elsewhere',
    lines(turn[0], { ...turn[1], data: { content: { $blob: 'ab', bytes: 1 }, source } }),
    { code: 'IMPORT_INVALID_EVENT', line: 2 },
  ],
  [
    'a type nobody knows',
    lines(turn[0], { ...ended, seq: 1, type: 'brain/scan' }),
    { code: 'IMPORT_UNKNOWN_TYPE', line: 2 },
  ],
  [
    'such a type that says it may be skipped',
    lines(turn[0], { ...ended, seq: 1, type: 'brain/scan', ignorable: true }),
    { code: 'IMPORT_UNKNOWN_TYPE', line: 2 },
  ],
  ['a number left out', lines(...turn, { ...ended, seq: 3 }), { code: 'IMPORT_CORRUPT_LOG', line: 3 }],
  ['a number twice', lines(...turn, { ...ended, seq: 1 }), { code: 'IMPORT_CORRUPT_LOG', line: 2 }],
  ['an end of what did not begin', lines({ ...ended, seq: 0 }), { code: 'IMPORT_CORRUPT_LOG', line: 1 }],
  [
    'a replacement of what is not there',
    lines(...turn, { ...turn[1], seq: 2, surfaceOp: { op: 'replace', start: 7, end: 7 }, sourceEventSeqs: [1] }),
    { code: 'IMPORT_CORRUPT_LOG', line: 3 },
  ],
])('%s is refused, naming the line', (_what, given, refused) => {
  expect(readImportedLog(given)).toMatchObject({ kind: 'refused', ...refused });
});

test('numbers that are known to be missing may be missing', () => {
  const gap = [{ from: 2, to: 4 }];
  expect(readImportedLog(lines(...turn, { ...ended, seq: 5 }), gap)).toMatchObject({ kind: 'log' });
});
