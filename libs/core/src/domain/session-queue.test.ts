import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { text } from './content.ts';
import { RequestId } from './ids.ts';
import type { MessageEntry } from './message-entry.ts';
import {
  acceptMessage,
  claimMessage,
  clearQueue,
  editMessage,
  EMPTY_QUEUE,
  QUEUE_CAPACITY,
  settleTurn,
} from './session-queue.ts';
import type { SessionQueue } from './session-queue.ts';

const id = (value: string) => RequestId.parse(value);
const entry = (value: string, kind: MessageEntry['kind'] = 'prompt'): MessageEntry => ({
  requestId: id(value),
  kind,
  content: [text(value)],
  source: { kind: 'user' },
  preview: value,
});
const ids = ({ queued, steering }: SessionQueue) =>
  [queued, steering].map((list) => list.map(({ requestId }) => requestId));

function accept(queue: SessionQueue, message: MessageEntry, to: 'queue' | 'turn' = 'queue'): SessionQueue {
  const result = acceptMessage({ queue, entry: message, to });
  if (result.kind === 'refused') throw new Error(result.code);
  return result.queue;
}

describe('session queue', () => {
  test('is first in, first out, and says the position', () => {
    const one = accept(EMPTY_QUEUE, entry('a'));
    const two = acceptMessage({ queue: one, entry: entry('b'), to: 'queue' });
    expect(two).toMatchObject({ kind: 'accepted', position: 1 });
    expect(acceptMessage({ queue: one, entry: entry('c', 'steering'), to: 'turn' })).toMatchObject({ position: -1 });
    expect(claimMessage(one)).toEqual({ queue: EMPTY_QUEUE, entry: entry('a') });
    expect(claimMessage(EMPTY_QUEUE)).toEqual({ queue: EMPTY_QUEUE });
  });

  test('what a turn leaves unread waits behind the queue, in order; injections stay injections', () => {
    const steering = [
      entry('s1', 'steering'),
      entry('s2', 'injection'),
      entry('s3', 'steering'),
      entry('s4', 'steering'),
    ];
    const queue = steering.reduce((held, message) => accept(held, message, 'turn'), accept(EMPTY_QUEUE, entry('q')));
    const settled = settleTurn({ queue, consumed: [id('s1')], discarded: [id('s4'), id('q')] });
    expect(settled).toEqual({ queued: [entry('q'), entry('s2', 'injection'), entry('s3')], steering: [] });
  });

  test('cancel empties both and names what is gone', () => {
    const queue = accept(accept(EMPTY_QUEUE, entry('q')), entry('s', 'steering'), 'turn');
    expect(clearQueue(queue)).toEqual({ queue: EMPTY_QUEUE, dropped: [entry('s', 'steering'), entry('q')] });
  });

  test('edits and drops only what still waits', () => {
    const queue = accept(accept(accept(EMPTY_QUEUE, entry('a')), entry('b')), entry('s', 'steering'), 'turn');
    const edited = editMessage({ queue, requestId: id('b'), content: [text('new')], preview: 'new' });
    expect(edited).toMatchObject({ kind: 'changed', entry: { content: [text('new')], preview: 'new' } });
    expect(edited.kind === 'changed' && ids(edited.queue)).toEqual([['a', 'b'], ['s']]);
    const dropped = editMessage({ queue, requestId: id('a') });
    expect(dropped.kind === 'changed' && ids(dropped.queue)).toEqual([['b'], ['s']]);
    for (const requestId of [id('s'), id('gone')]) {
      expect(editMessage({ queue, requestId })).toEqual({ kind: 'refused', code: 'PROMPT_NOT_QUEUED' });
    }
  });

  test('holds a thousand and no more', () => {
    let queue = EMPTY_QUEUE;
    for (let n = 0; n < QUEUE_CAPACITY; n += 1) queue = accept(queue, entry(`m${n}`), n % 2 ? 'queue' : 'turn');
    expect(acceptMessage({ queue, entry: entry('x'), to: 'queue' })).toEqual({ kind: 'refused', code: 'QUEUE_FULL' });
  });

  test('loses and doubles nothing, whatever the turns read', () => {
    const step = fc.record({
      to: fc.constantFrom('queue' as const, 'turn' as const),
      fate: fc.constantFrom('read', 'dropped', 'left'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let queue = EMPTY_QUEUE;
        steps.forEach(({ to }, n) => {
          queue = accept(queue, entry(`m${n}`, to === 'turn' ? 'steering' : 'prompt'), to);
        });
        const of = (fate: string) =>
          steps.flatMap((one, n) => (one.to === 'turn' && one.fate === fate ? [id(`m${n}`)] : []));
        const settled = settleTurn({ queue, consumed: of('read'), discarded: of('dropped') });
        const direct = steps.flatMap((one, n) => (one.to === 'queue' ? [id(`m${n}`)] : []));
        expect(ids(settled)).toEqual([[...direct, ...of('left')], []]);
      }),
    );
  });
});
