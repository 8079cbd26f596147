import { expect, test } from 'vitest';
import { keyIn } from './dev-api-key.ts';

test('finds the key among words', () => {
  const key = 'evt_dev_4f9c2a7be1d04c63a5b8';
  expect(keyIn(`${key}\n`)).toBe(key);
  expect(keyIn(`Created a key for tenant dev. It is shown once:\n\n  ${key}\n`)).toBe(key);
  expect(keyIn(JSON.stringify({ tenant: 'dev', key }))).toBe(key);
  expect(keyIn('no key')).toBeUndefined();
});
