import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admissionOf, continueAsNewDue, firstPortion, jsonBytes } from './history-budget.ts';

const fresh = { updates: 0, signals: 0, events: 0, bytes: 0, continueAsNewSuggested: false };
const due = (use: Partial<typeof fresh>, task: 'first' | 'later' = 'later', inFlight = 0) =>
  continueAsNewDue({ use: { ...fresh, ...use }, task, inFlight });

test('continues at the first exhausted budget, when nothing is in flight', () => {
  expect([due({}), due({ updates: 999, events: 3999, bytes: 4_194_303 })]).toEqual([false, false]);
  expect(
    [{ updates: 1000 }, { events: 4000 }, { bytes: 4_194_304 }, { continueAsNewSuggested: true }].map((use) =>
      due(use),
    ),
  ).toEqual([true, true, true, true]);
  expect([due({ updates: 5000 }, 'first'), due({ updates: 5000 }, 'later', 1)]).toEqual([false, false]);
});

test('narrows what it takes as the server limits come near', () => {
  expect(
    [
      [1499, 7999],
      [1500, 7999],
      [0, 8000],
    ].map(([updates = 0, signals = 0]) => admissionOf({ updates, signals })),
  ).toEqual(['updates', 'signals', 'urgent']);
});

test('portions are whole, in order, within the limit, and never empty', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat(60), (items, limit) => {
      const portions: string[][] = [];
      for (let rest = items; rest.length > 0; rest = items.slice(portions.flat().length))
        portions.push(firstPortion(rest, limit));
      expect(portions.flat()).toEqual(items);
      for (const portion of portions) {
        const bytes = portion.reduce((sum, item) => sum + jsonBytes(item), 0);
        expect(portion.length === 1 || bytes <= limit).toBe(true);
      }
    }),
  );
  expect([firstPortion([], 1), jsonBytes('€"')]).toEqual([[], 7]);
});
