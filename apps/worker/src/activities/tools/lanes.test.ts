import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

const alpha = 'alpha' as SessionId;
const beta = 'beta' as SessionId;
const quietly = new AbortController().signal;

test('a lane is free while bodies run, blocked once one lingers after its signal, and free when it settles', async () => {
  const lanes = new Lanes();
  const stop = new AbortController();
  const body = Promise.withResolvers<string>();
  const running = lanes.run(alpha, stop.signal, () => body.promise);
  expect(await lanes.clear(alpha, quietly)).toBe('clear');

  stop.abort();
  const order: string[] = [];
  const waiting = lanes.clear(alpha, quietly).then((outcome) => order.push(outcome));
  expect(await lanes.clear(beta, quietly)).toBe('clear');
  expect(order).toEqual([]);
  order.push('settled');
  body.resolve('late');
  expect(await running).toBe('late');
  await waiting;
  expect(order).toEqual(['settled', 'clear']);
});

test('whoever waits for a lane can be stopped', async () => {
  const lanes = new Lanes();
  const body = Promise.withResolvers<void>();
  const running = lanes.run(alpha, AbortSignal.abort(), () => body.promise);
  const stop = new AbortController();
  const waiting = lanes.clear(alpha, stop.signal);
  stop.abort();
  expect(await waiting).toBe('stopped');
  body.reject(new Error('over'));
  await expect(running).rejects.toThrow('over');
  expect(await lanes.clear(alpha, quietly)).toBe('clear');
});
