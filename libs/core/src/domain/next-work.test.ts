import { expect, test, vi } from 'vitest';
import { nextWork, type WaitingWork } from './index.ts';

const nothing: WaitingWork<string, number> = {
  permissions: 0,
  titles: 0,
  compaction: false,
  records: 0,
  facts: 0,
  injected: 0,
  queued: 0,
  parked: false,
  reminders: () => undefined,
  round: () => undefined,
};
const everything: WaitingWork<string, number> = {
  permissions: 1,
  titles: 1,
  compaction: true,
  records: 1,
  facts: 1,
  injected: 1,
  queued: 1,
  parked: false,
  reminders: () => 'tea',
  round: () => 7,
};

test('each kind waits for those before it: word of an agent before a reminder that is due, that before a round of a goal', () => {
  const done: WaitingWork<string, number>[] = [everything];
  for (const gone of [
    'permissions',
    'titles',
    'compaction',
    'records',
    'facts',
    'injected',
    'queued',
    'reminders',
  ] as const)
    done.push({ ...done.at(-1)!, [gone]: nothing[gone] });
  expect(done.map((waiting) => nextWork(waiting))).toEqual([
    { kind: 'permissions' },
    { kind: 'titles' },
    { kind: 'compaction' },
    { kind: 'record' },
    { kind: 'facts' },
    { kind: 'injection' },
    { kind: 'message' },
    { kind: 'reminders', due: 'tea' },
    { kind: 'round', round: 7 },
  ]);
  expect(nextWork(nothing)).toBeUndefined();
});

test('a parked queue holds back reminders and rounds, but not what begins no turn of a model', () => {
  const round = vi.fn<() => number>(() => 7);
  const parked = { ...nothing, queued: 1, parked: true, reminders: () => 'tea', round };
  expect(nextWork(parked)).toBeUndefined();
  expect(round).not.toHaveBeenCalled();
  expect(nextWork({ ...parked, injected: 1 })).toEqual({ kind: 'injection' });
});
