import { expect, test } from 'vitest';
import { Wake } from './wake.ts';

test('a ring before the wait counts, once', async () => {
  const wake = new Wake();
  wake.ring();
  wake.ring();
  await wake.next();
  let woken = 0;
  const second = wake.next().then(() => (woken += 1));
  await Promise.resolve();
  expect(woken).toBe(0);
  wake.ring();
  await second;
  expect(woken).toBe(1);
});
