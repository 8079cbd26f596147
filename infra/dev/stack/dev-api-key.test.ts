import { expect, test } from 'vitest';
import { keyIn } from './dev-api-key.ts';

test('takes the key from what `keys create --json` prints', () => {
  expect(keyIn(`${JSON.stringify({ id: 'k1', tenant: 'dev', key: 'secret' }, undefined, 2)}\n`)).toBe('secret');
  expect(keyIn('{"id":"k1"}')).toBeUndefined();
  expect(keyIn('no key')).toBeUndefined();
});
