import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('drops what was used longest ago until the rest fits', () => {
  const cache = new BoundedCache<string>({ maxWeight: 10 });
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
});

test('a value that outgrows the cache leaves it, and its weight with it', () => {
  const cache = new BoundedCache<string>({ maxWeight: 10 });
  cache.set('a', 'A', 4);
  cache.set('a', 'A', 11);
  expect(cache.get('a')).toBeUndefined();
  cache.set('b', 'B', 10);
  expect(cache.get('b')).toBe('B');
});
