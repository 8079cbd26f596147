import { expect, test } from 'vitest';
import { earnsAttempts, reconnectDelay } from './reconnect-delay.ts';

const reconnect = { enabled: true, initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 10 };

test('waits double up to the longest, and end', () => {
  const delays = Array.from({ length: 11 }, (_, attempts) => reconnectDelay(reconnect, attempts));
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000, undefined]);
});

test('nothing is tried again where that is off', () => {
  expect(reconnectDelay({ ...reconnect, enabled: false }, 0)).toBeUndefined();
});

test('only a connection as long as the longest wait earns all attempts again', () => {
  expect([29_999, 30_000].map((uptime) => earnsAttempts(reconnect, uptime))).toEqual([false, true]);
});
