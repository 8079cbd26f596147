import { expect, test } from 'vitest';
import { text } from './content.ts';
import { RequestId } from './ids.ts';
import type { MessageEntry } from './message-entry.ts';
import { SteeringInbox } from './steering-inbox.ts';

const entry = (value: string): MessageEntry => ({
  requestId: RequestId.parse(value),
  kind: 'steering',
  content: [text(value)],
  source: { kind: 'user' },
  preview: value,
});

test('reads in order, once, and reports what became of each', () => {
  const inbox = new SteeringInbox();
  for (const value of ['a', 'b', 'a']) inbox.push(entry(value));
  expect(inbox.waiting).toBe(2);
  expect(inbox.drain()).toEqual([entry('a'), entry('b')]);
  for (const value of ['b', 'c']) inbox.push(entry(value));
  expect(inbox.discard()).toEqual([entry('c')]);
  for (const value of ['c', 'd']) inbox.push(entry(value));
  expect(inbox.state()).toEqual({ unread: [entry('d')], consumed: ['a', 'b'], discarded: ['c'] });
});

test('goes on in the next run', () => {
  const first = new SteeringInbox();
  first.push(entry('a'));
  first.drain();
  first.push(entry('b'));
  const next = new SteeringInbox(first.state());
  next.push(entry('a'));
  next.push(entry('b'));
  expect(next.state()).toEqual(first.state());
});
