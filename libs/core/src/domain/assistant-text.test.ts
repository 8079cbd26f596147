import { expect, test } from 'vitest';
import { finalAnswer, textOf } from './assistant-text.ts';
import { text, type ContentBlock } from './content.ts';
import type { SessionEvent } from './events.ts';
import { CallId } from './ids.ts';

const call: ContentBlock = { type: 'tool-call', id: CallId.parse('c'), name: 'n', arguments: '{}' };
const answer = (seq: number, content: ContentBlock[]): SessionEvent => ({
  type: 'assistant/message',
  seq,
  time: 0,
  data: { turn: 1, step: 1, content, provenance: { provider: 'p', model: 'm' } },
  surfaceOp: 'append',
});

test('joins text blocks as they stand and leaves the rest out', () => {
  expect(textOf([text('a'), { type: 'reasoning', text: 'no' }, text(' b'), call])).toBe('a b');
});

test('the final answer has words and is not a fork seed', () => {
  const events = [
    answer(3, [text('seed')]),
    answer(7, [text('said'), call]),
    answer(9, [call]),
    answer(11, []),
    answer(12, [text(' ')]),
  ];
  expect(finalAnswer({ events, fromSeq: 4 })).toBe('said');
  expect(finalAnswer({ events: events.slice(2) })).toBeUndefined();
  expect(finalAnswer({ events: events.slice(0, 1), fromSeq: 4 })).toBeUndefined();
});
