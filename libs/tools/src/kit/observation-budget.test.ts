import { expect, test } from 'vitest';
import { FileObservations } from './file-observations.ts';
import { ObservationBudget } from './observation-budget.ts';

const file = (name: string) => ({ displayPath: name, identity: name });
const absent = { kind: 'absent' } as const;

test('who has not looked for longest forgets, so that all together stay within the budget', async () => {
  const budget = new ObservationBudget({ max: 3 });
  const [alice, bob, carol] = [1, 2, 3].map(() => new FileObservations(budget)) as [
    FileObservations,
    FileObservations,
    FileObservations,
  ];
  alice.record(file('a'), absent);
  bob.record(file('b'), absent);
  alice.record(file('a'), absent); // again, which counts once
  carol.record(file('c'), absent);
  expect([alice.size, bob.size, carol.size]).toEqual([1, 1, 1]);
  carol.record(file('d'), absent);
  expect([alice.size, bob.size, carol.size]).toEqual([1, 0, 2]);
  await alice.dispose();
  bob.record(file('e'), absent);
  expect([bob.last(file('e')), carol.size]).toEqual([absent, 2]);
  for (const name of ['f', 'g', 'h']) bob.record(file(name), absent);
  expect([bob.size, carol.size]).toEqual([0, 0]); // one that alone is too much forgets, too
});
