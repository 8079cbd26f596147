import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import type { SessionResource } from '../../kit/index.ts';
import { ResourceHolder } from './resource-holder.ts';

const alpha = 'alpha' as SessionId;
const beta = 'beta' as SessionId;

class Thing implements SessionResource {
  ended = 0;
  readonly #failure: Error | undefined;
  constructor(failure?: Error) {
    this.#failure = failure;
  }
  async dispose(): Promise<void> {
    this.ended += 1;
    if (this.#failure) throw this.#failure;
  }
}

test('a thing is made once for all who ask at once, kept for its session alone, and ended once', async () => {
  const holder = new ResourceHolder();
  let made = 0;
  const create = async () => {
    made += 1;
    return new Thing();
  };
  const [one, two] = await Promise.all([holder.of(alpha).open('x/1', create), holder.of(alpha).open('x/1', create)]);
  expect([one === two, made]).toEqual([true, 1]);
  expect(holder.of(alpha).find('x/1')).toBe(one);
  expect(holder.of(beta).find('x/1')).toBeUndefined();
  await Promise.all([holder.of(alpha).close('x/1'), holder.of(alpha).close('x/1')]);
  expect([one.ended, holder.of(alpha).has('x/1')]).toEqual([1, false]);
});

test('entries are told by prefix in the order they were asked for, without those in the making', async () => {
  const resources = new ResourceHolder().of(alpha);
  const gate = Promise.withResolvers<Thing>();
  const third = resources.open('x/3', () => gate.promise);
  const first = await resources.open('x/1', async () => new Thing());
  await resources.open('y/1', async () => new Thing());
  expect(resources.entries('x/')).toEqual([['x/1', first]]);
  expect(resources.has('x/3')).toBe(true);
  const late = new Thing();
  gate.resolve(late);
  await third;
  expect(resources.entries('x/')).toEqual([
    ['x/3', late],
    ['x/1', first],
  ]);
});

test('a creation that fails leaves nothing, and the next one works', async () => {
  const resources = new ResourceHolder().of(alpha);
  await expect(resources.open('x/1', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(resources.has('x/1')).toBe(false);
  expect(await resources.open('x/1', async () => new Thing())).toBeInstanceOf(Thing);
});

test('a session that ends while something is being made gets that ended, and its maker is told', async () => {
  const holder = new ResourceHolder();
  const gate = Promise.withResolvers<Thing>();
  let told: AbortSignal | undefined;
  const opening = holder.of(alpha).open('x/1', (signal) => {
    told = signal;
    return gate.promise;
  });
  opening.catch(() => undefined);
  await Promise.resolve();
  const released = holder.release(alpha);
  const late = new Thing();
  gate.resolve(late);
  await released;
  await expect(opening).rejects.toMatchObject({ code: 'OWNER_NOT_LIVE' });
  expect([late.ended, told?.aborted]).toEqual([1, true]);
});

test('release and dispose try all, tell what failed, and after dispose nothing opens', async () => {
  const holder = new ResourceHolder();
  const bad = await holder.of(alpha).open('x/1', async () => new Thing(new Error('stuck')));
  const good = await holder.of(alpha).open('x/2', async () => new Thing());
  const other = await holder.of(beta).open('x/1', async () => new Thing());
  await expect(holder.release(alpha)).rejects.toMatchObject({
    errors: [expect.objectContaining({ message: 'stuck' })],
  });
  expect([bad.ended, good.ended, other.ended]).toEqual([1, 1, 0]);
  await holder.dispose();
  expect(other.ended).toBe(1);
  await expect(holder.of(beta).open('x/1', async () => new Thing())).rejects.toMatchObject({
    code: 'SERVICE_DISPOSING',
  });
});

test('numbers are given once, by name and session, over restarts, until the session ends', async () => {
  const folder = temporaryDirectory();
  const first = new ResourceHolder({ folder });
  expect([first.of(alpha).given('x'), first.of(alpha).next('x'), first.of(alpha).next('x')]).toEqual([0, 1, 2]);
  expect([first.of(alpha).next('y'), first.of(beta).next('x')]).toEqual([1, 1]);
  await first.dispose();
  const second = new ResourceHolder({ folder });
  expect([second.of(alpha).given('x'), second.of(alpha).next('x')]).toEqual([2, 3]);
  await second.release(alpha);
  expect(new ResourceHolder({ folder }).of(alpha).given('x')).toBe(0);
  expect(new ResourceHolder().of(beta).next('x')).toBe(1);
});
