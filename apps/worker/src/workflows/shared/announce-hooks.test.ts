import { expect, test } from 'vitest';
import type { AnnouncedHook } from '@everturn/core/domain';
import type { HookRecord, Interception } from '../../contract/index.ts';
import { announceHooks } from './announce-hooks.ts';
import type { LogWriter } from './log-writer.ts';

const hook = (id: string, event: AnnouncedHook['event'], matcher?: string): AnnouncedHook => ({
  id,
  dialect: 'claude',
  event,
  ...(matcher !== undefined && { matcher }),
});
const hooks = [hook('guard', 'PreToolUse', 'bash'), hook('other', 'PreToolUse'), hook('end', 'Stop')];
const ran = (handlerId: string): HookRecord => ({
  invoked: { turn: 1, point: 'tools/pre-execute', dialect: 'claude', handlerId },
  result: { turn: 1, point: 'tools/pre-execute', handlerId, decision: 'deny', durationMs: 5 },
});

/** What the log is told before and after. */
function told(interception: Interception, records: readonly HookRecord[] = [], isAgent = false) {
  const events: string[] = [];
  const append = (type: string, data: { handlerId: string; decision?: string }) =>
    events.push([type, data.handlerId, ...(data.decision ? [data.decision] : [])].join(' '));
  const writer = { append } as unknown as LogWriter;
  const announced = announceHooks({ writer, turn: 1, place: 't1.s1.c0', interception, hooks, isAgent });
  const before = events.length;
  announced.end(records);
  return { before: events.slice(0, before), after: events.slice(before) };
}
const call = (name: string) => ({ point: 'tools/pre-execute', call: { name } }) as Interception;

test('hooks that are meant are told of before, and how they ended after, in the order they ended', () => {
  expect(told(call('bash'), [ran('other@t1.s1.c0'), ran('guard@t1.s1.c0')])).toEqual({
    before: ['hook/invoked guard@t1.s1.c0', 'hook/invoked other@t1.s1.c0'],
    after: ['hook/result other@t1.s1.c0 deny', 'hook/result guard@t1.s1.c0 deny'],
  });
});

test('one that was not run, or whose end nobody knows, has an end all the same', () => {
  expect(told(call('bash'), [ran('guard@t1.s1.c0')]).after).toEqual([
    'hook/result guard@t1.s1.c0 deny',
    'hook/result other@t1.s1.c0 pass',
  ]);
  expect(told(call('write')).after).toEqual(['hook/result other@t1.s1.c0 pass']);
});

test('one that only the worker knew of is told of with its end', () => {
  expect(told(call('write'), [ran('new@t1.s1.c0')]).after).toEqual([
    'hook/invoked new@t1.s1.c0',
    'hook/result new@t1.s1.c0 deny',
    'hook/result other@t1.s1.c0 pass',
  ]);
});

test('nothing is told where nobody is asked: a turn that goes on, another point, an agent without a hook of its own', () => {
  const nothing = { before: [], after: [] };
  expect(told({ point: 'agent/turn-continuation', decision: 'continue' })).toEqual(nothing);
  expect(told({ point: 'agent/pre-step' })).toEqual(nothing);
  expect(told({ point: 'agent/turn-continuation', decision: 'stop' }, [], true)).toEqual(nothing);
  expect(told({ point: 'agent/turn-continuation', decision: 'stop' }).before).toEqual(['hook/invoked end@t1.s1.c0']);
});
