import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

test('two work at a time, the next in turn; who leaves or fails keeps nobody waiting', async () => {
  const slots = new Slots(2);
  const began: string[] = [];
  const work = (name: string, signal = new AbortController().signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = slots.run(signal, () => {
      began.push(name);
      return promise;
    });
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  const leaving = new AbortController();
  const [a, b, c, d, e] = [work('a'), work('b'), work('c', leaving.signal), work('d'), work('e')];
  await expect.poll(() => began).toEqual(['a', 'b']);
  leaving.abort(new Error('enough'));
  await expect(c.done).rejects.toThrow('enough');
  a.fail();
  await expect(a.done).rejects.toThrow('a');
  await expect.poll(() => began).toEqual(['a', 'b', 'd']);
  b.end();
  await expect.poll(() => began).toEqual(['a', 'b', 'd', 'e']);
  d.end();
  e.end();
  expect(await Promise.all([b.done, d.done, e.done])).toEqual(['b', 'd', 'e']);
  const f = work('f');
  f.end();
  expect(await f.done).toBe('f');
  await expect(work('g', AbortSignal.abort(new Error('too late'))).done).rejects.toThrow('too late');
  expect(began).not.toContain('g');
});
