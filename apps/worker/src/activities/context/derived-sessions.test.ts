import { text, type SessionEvent, type SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { DerivedSessions } from './derived-sessions.ts';

const session = 's' as SessionId;
const said = (seq: number, value: string): SessionEvent => ({
  type: 'user/message',
  seq,
  time: 1,
  data: { content: [text(value)], source: { kind: 'user' } },
  surfaceOp: 'append',
});
const began = (seq: number, step: number): SessionEvent => ({
  type: 'step/start',
  seq,
  time: 1,
  data: { turn: 1, step },
});

test('each step reads on from where the last one stopped', () => {
  const sessions = new DerivedSessions();
  const first = sessions.open({ session, generation: 0 });
  expect(first.readFrom).toBe(0);
  expect(first.messagesBefore(1, [said(0, 'one'), began(1, 1)])).toEqual([{ role: 'user', content: [text('one')] }]);
  sessions.keep({ session, generation: 0 }, first);

  const second = sessions.open({ session, generation: 0 });
  expect(second.readFrom).toBe(1);
  const rows = [said(0, 'seen before'), began(1, 1), said(7, 'two'), began(8, 2), said(9, 'belongs to the next')];
  expect(second.messagesBefore(8, rows)).toEqual([
    { role: 'user', content: [text('one')] },
    { role: 'user', content: [text('two')] },
  ]);
  expect(second.readFrom).toBe(8);
});

test('another generation starts over', () => {
  const sessions = new DerivedSessions();
  const first = sessions.open({ session, generation: 0 });
  first.messagesBefore(1, [said(0, 'one')]);
  sessions.keep({ session, generation: 0 }, first);
  expect(sessions.open({ session, generation: 1 }).readFrom).toBe(0);
});
