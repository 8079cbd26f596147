import { expect, test } from 'vitest';
import { IdentityLock } from './identity-lock.ts';

test('tasks of one key run in order of arrival, after failures too; other keys do not wait', async () => {
  const lock = new IdentityLock();
  const order: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = lock.run('a', async () => {
    await gate;
    order.push('a1');
    throw new Error('failed');
  });
  const second = lock.run('a', async () => order.push('a2'));
  const third = lock.run('a', async () => order.push('a3'));
  await lock.run('b', async () => order.push('b1'));
  open();
  await expect(first).rejects.toThrow('failed');
  await Promise.all([second, third]);
  expect(order).toEqual(['b1', 'a1', 'a2', 'a3']);
});
