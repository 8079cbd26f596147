import { expect, test } from 'vitest';
import { text } from './content.ts';
import { deriveMessages } from './derive-messages.ts';
import type { SessionEvent, SurfaceEvent } from './events.ts';
import { humanTranscript } from './human-transcript.ts';
import { CallId } from './ids.ts';
import { foldSurface } from './surface-fold.ts';

const provenance = { provider: 'p', model: 'm', replayState: { blocks: [1] } };
const source = { kind: 'plugin' as const, plugin: 'x' };
const at = { turn: 1, step: 1 };
const callId = CallId.parse('c');
const answer = [
  { type: 'reasoning' as const, text: 'hm' },
  { type: 'tool-call' as const, id: callId, name: 'n', arguments: '{' },
];

const events: SessionEvent[] = [
  { type: 'user/message', seq: 0, time: 0, data: { content: [text('go')], source }, surfaceOp: 'append' },
  { type: 'prompt/blocked', seq: 1, time: 0, data: { content: [text('no')], source, reason: 'r' } },
  { type: 'assistant/chunk', seq: 2, time: 0, data: { ...at, chunk: { type: 'text-delta', index: 0, text: 'lost' } } },
  { type: 'assistant/message', seq: 3, time: 0, data: { ...at, content: answer, provenance }, surfaceOp: 'append' },
  {
    type: 'tool/result',
    seq: 4,
    time: 0,
    data: { ...at, callId, content: [text('out')], isError: true, meta: { a: 1 } },
    surfaceOp: 'append',
  },
  { type: 'context/message', seq: 5, time: 0, data: { content: [text('ctx')], source, meta: 1 }, surfaceOp: 'append' },
  {
    type: 'steering/message',
    seq: 6,
    time: 0,
    data: { turn: 1, content: [text('left')], source },
    surfaceOp: 'append',
  },
  { type: 'assistant/message', seq: 7, time: 0, data: { ...at, content: [], provenance }, surfaceOp: 'append' },
];

test('projects each node verbatim, results one by one, and empty answers not at all', () => {
  expect(deriveMessages(foldSurface(events).nodes)).toEqual([
    { role: 'user', content: [text('go')] },
    { role: 'assistant', content: answer, provenance },
    { role: 'user', content: [{ type: 'tool-result', toolCallId: 'c', content: [text('out')], isError: true }] },
    { role: 'user', content: [text('ctx')] },
    { role: 'user', content: [text('left')] },
  ]);
});

test('returns a fresh list over shared, frozen messages', () => {
  const { nodes } = foldSurface(events);
  const [first, second] = [deriveMessages(nodes), deriveMessages(nodes)];
  expect(first).not.toBe(second);
  expect(first.every((message, index) => message === second[index] && Object.isFrozen(message.content))).toBe(true);
});

test('a summary replaces what it covers for the model, not for people', () => {
  const summary: SurfaceEvent = {
    type: 'user/message',
    seq: 8,
    time: 0,
    data: { content: [text('summary')], source },
    surfaceOp: { op: 'replace', start: 0, end: 5 },
    sourceEventSeqs: [0, 3, 4, 5],
  };
  const log = [...events, summary];
  expect(deriveMessages(foldSurface(log).nodes)).toEqual([
    { role: 'user', content: [text('summary')] },
    { role: 'user', content: [text('left')] },
  ]);
  expect(humanTranscript(log).map(({ seq }) => seq)).toEqual([0, 3, 4, 5, 6, 7]);
});
