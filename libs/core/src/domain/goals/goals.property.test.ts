import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeGoal, isChanged, type GoalRequest } from './change-goal.ts';
import { countRound, foldGoal, latestGoal, type GoalFact } from './fold-goal.ts';
import { NO_GOAL, viewGoal, type GoalId, type GoalState } from './goal.ts';
import { nextRound } from './goal-rounds.ts';

type Wish = { what: GoalRequest['operation'] | 'round' | 'stale'; objective: string; rounds: number };

const wishes = fc.array(
  fc.record({
    what: fc.constantFrom<Wish['what']>(
      'create',
      'edit',
      'pause',
      'resume',
      'complete',
      'block',
      'clear',
      'round',
      'stale',
    ),
    objective: fc.constantFrom('a', 'b', ' '),
    rounds: fc.integer({ min: 0, max: 4 }),
  }),
  { maxLength: 60 },
);

function requestOf(state: GoalState, { what, objective, rounds }: Wish): GoalRequest {
  const { id = 'goal-none' as GoalId, revision = 1 } = state.record?.goal ?? {};
  const ref = { id, revision: what === 'stale' ? revision + 1 : revision };
  switch (what) {
    case 'create':
      return { operation: 'create', objective, maxGoalRounds: rounds };
    case 'edit':
      return { operation: 'edit', ref, objective, maxGoalRounds: rounds };
    case 'block':
      return { operation: 'block', ref, reason: { code: 'stuck', message: 'm' } };
    case 'stale':
    case 'round':
      return { operation: 'pause', ref };
    default:
      return { operation: what, ref };
  }
}

test('whatever is asked for, the log folds to the goal the session has, and rounds never exceed what is allowed', () => {
  fc.assert(
    fc.property(wishes, (given) => {
      let state: GoalState = NO_GOAL;
      const facts: GoalFact[] = [];
      for (const [step, wish] of given.entries()) {
        if (wish.what === 'round') {
          const next = nextRound(state);
          if (next?.kind !== 'round') continue;
          const counted = countRound(state, next.source);
          if (typeof counted === 'string') throw new Error(counted);
          facts.push({ kind: 'round', source: next.source });
          state = counted;
          expect(state.record?.roundsStarted).toBeLessThanOrEqual(state.record?.goal.maxGoalRounds ?? 0);
          continue;
        }
        const newId = `goal-00000000-0000-4000-8000-${String(step).padStart(12, '0')}` as GoalId;
        const result = changeGoal(state, requestOf(state, wish), { now: step % 7, newId });
        if (!isChanged(result)) continue;
        expect(wish.what).not.toBe('stale');
        facts.push({ kind: 'change', change: result.change });
        state = result.state;
      }
      expect(foldGoal(facts)).toEqual({ ...state, activation: 'disarmed' });
      const changes = facts.flatMap((fact) => (fact.kind === 'change' ? [fact.change] : []));
      const rounds = facts.flatMap((fact) => (fact.kind === 'round' ? [fact.source] : []));
      expect(latestGoal(changes.at(-1), rounds.at(-1))).toEqual(viewGoal(state).goal);
    }),
    { numRuns: 300 },
  );
});
