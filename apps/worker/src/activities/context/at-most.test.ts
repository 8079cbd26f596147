import { expect, test } from 'vitest';
import { AtMost } from './at-most.ts';

test('so many work at once, the others in the order they came, whatever becomes of those before', async () => {
  const atMost = new AtMost(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, n) =>
    atMost.run(() => {
      begun.push(n);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('broken'));
  await expect(runs[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all([runs[0], runs[2], runs[3]]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
