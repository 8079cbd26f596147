import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AuthoredEvent } from './authored.ts';
import { text } from './content.ts';
import { isDomainError } from './errors.ts';
import type { SessionEvent } from './events.ts';
import { CallId } from './ids.ts';
import { checkLog } from './log-invariants.ts';
import { SessionLog } from './session-log.ts';

/** What a random author tries; numbers are often wrong on purpose. */
type Attempt =
  | { kind: 'turn/start' | 'turn/end'; turn: number }
  | { kind: 'step/start' | 'step/end'; turn: number; step: number }
  | { kind: 'todo' | 'user' }
  | { kind: 'call' | 'result'; turn: number; step: number; callId: string }
  | { kind: 'invalid' };

const number = fc.integer({ min: 1, max: 3 });
const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({ kind: fc.constantFrom('turn/start' as const, 'turn/end' as const), turn: number }),
  fc.record({ kind: fc.constantFrom('step/start' as const, 'step/end' as const), turn: number, step: number }),
  fc.record({ kind: fc.constantFrom('todo' as const, 'user' as const) }),
  fc.record({
    kind: fc.constantFrom('call' as const, 'result' as const),
    turn: number,
    step: number,
    callId: fc.constantFrom('a', 'b'),
  }),
  fc.record({ kind: fc.constant('invalid' as const) }),
);

/** The rules again, read from the whole history each time instead of kept as state. */
function allowed(history: readonly Attempt[], next: Attempt): boolean {
  const turns = history.filter(({ kind }) => kind === 'turn/start').length;
  const turnOpen = turns > history.filter(({ kind }) => kind === 'turn/end').length;
  const inTurn = history.slice(history.findLastIndex(({ kind }) => kind === 'turn/start'));
  const steps = inTurn.filter(({ kind }) => kind === 'step/start').length;
  const stepOpen = turnOpen && steps > inTurn.filter(({ kind }) => kind === 'step/end').length;
  const inStep = inTurn.slice(inTurn.findLastIndex(({ kind }) => kind === 'step/start'));
  const here = 'turn' in next && next.turn === turns && (!('step' in next) || next.step === steps);
  const count = (kind: string) =>
    inStep.filter((one) => one.kind === kind && 'callId' in one && 'callId' in next && one.callId === next.callId)
      .length;
  switch (next.kind) {
    case 'turn/start':
      return !turnOpen && next.turn === turns + 1;
    case 'turn/end':
      return turnOpen && !stepOpen && next.turn === turns;
    case 'step/start':
      return turnOpen && !stepOpen && next.turn === turns && next.step === steps + 1;
    case 'step/end':
    case 'call':
      return stepOpen && here;
    case 'result':
      return stepOpen && here && count('call') > count('result');
    case 'todo':
    case 'user':
      return turnOpen;
    case 'invalid':
      return false;
  }
}

/** Lets the log try it; a step begins at another author, so this one only sees it. */
function attemptOn(log: SessionLog, one: Attempt): void {
  const source = { kind: 'user' as const };
  switch (one.kind) {
    case 'turn/start':
      log.append(one.kind, { turn: one.turn, trigger: { kind: 'message', source } });
      return;
    case 'turn/end':
      log.append(one.kind, { turn: one.turn, reason: { kind: 'completed' } });
      return;
    case 'step/start':
      log.observe({ type: one.kind, turn: one.turn, step: one.step });
      return;
    case 'step/end':
      log.append(one.kind, { turn: one.turn, step: one.step });
      return;
    case 'todo':
      log.append('todo/write', { todos: [] });
      return;
    case 'user':
      log.append('user/message', { content: [text('x')], source }, { surfaceOp: 'append' });
      return;
    case 'call':
      log.append('tool/call', {
        turn: one.turn,
        step: one.step,
        callId: CallId.parse(one.callId),
        name: 'n',
        arguments: '',
      });
      return;
    case 'result': {
      const data = { turn: one.turn, step: one.step, callId: CallId.parse(one.callId), content: [], isError: false };
      log.append('tool/result', data, { surfaceOp: 'append' });
      return;
    }
    case 'invalid':
      log.append('todo/write', { todos: [{ content: 'x', status: 'lost' as 'pending' }] });
  }
}

function accepts(log: SessionLog, one: Attempt): boolean {
  try {
    attemptOn(log, one);
    return true;
  } catch (error) {
    expect(isDomainError(error)).toBe(true);
    return false;
  }
}

test('accepts exactly what the rules allow, keeps it in order and forgets what is acknowledged', () => {
  fc.assert(
    fc.property(
      fc.array(attempt, { maxLength: 80, size: 'max' }),
      fc.infiniteStream(fc.nat({ max: 6 })),
      (attempts, choices) => {
        const log = new SessionLog({ author: 'session', generation: 1, now: () => 5 });
        const history: Attempt[] = [];
        let unacknowledged: number[] = [];
        let named = 0;
        for (const one of attempts) {
          const expected = allowed(history, one);
          expect([one, accepts(log, one)]).toEqual([one, expected]);
          if (!expected) continue;
          history.push(one);
          if (one.kind !== 'step/start') unacknowledged.push(named++);
          const taken = unacknowledged.slice(0, choices.next().value);
          log.acknowledge(
            log
              .pending()
              .slice(0, taken.length)
              .map(({ eid }, index) => ({ eid, seq: (taken[index] as number) * 2, time: 5 })),
          );
          unacknowledged = unacknowledged.slice(taken.length);
          expect(log.pending().map(({ eid }) => eid)).toEqual(unacknowledged.map((n) => `session~1/${n}`));
        }
        expect(log.state().next).toBe(named);
        expect(log.highestAcknowledged).toBe(
          named === unacknowledged.length ? -1 : 2 * (named - unacknowledged.length - 1),
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('whatever it accepts, numbered in order of append, is a sound log', () => {
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 80, size: 'max' }), (attempts) => {
      const log = new SessionLog({ author: 'session', generation: 1, now: () => 5 });
      const events: SessionEvent[] = [];
      let seen = 0;
      for (const one of attempts) {
        if (!accepts(log, one)) continue;
        const own = log.pending().slice(seen);
        seen += own.length;
        const written =
          own.length > 0
            ? own.map(asRow)
            : [{ type: 'step/start', time: 5, data: { turn: log.open.turn, step: log.open.step } }];
        for (const row of written) events.push({ ...row, seq: events.length } as unknown as SessionEvent);
      }
      // An author that stops halfway leaves calls without results; that is recovery's business, not this one's.
      expect(checkLog({ events }).filter(({ rule }) => rule !== 'dangling-call')).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

function asRow({ eid: _eid, ...row }: AuthoredEvent): object {
  return row;
}
