import { expect, test } from 'vitest';
import { RequestId } from './ids.ts';
import { REQUEST_WINDOW, RequestWindow } from './request-window.ts';

const id = (n: number) => RequestId.parse(`r${n}`);
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_unused, n) => id(from + n));

test('admits an id once while it is among the last two hundred', () => {
  const window = new RequestWindow();
  expect(ids(0, REQUEST_WINDOW).map((one) => window.admit(one))).toEqual(ids(0, REQUEST_WINDOW).map(() => 'new'));
  expect(window.admit(id(0))).toBe('repeated');
  expect(window.admit(id(REQUEST_WINDOW))).toBe('new');
  expect(window.recent()).toEqual(ids(1, REQUEST_WINDOW + 1));
  expect(window.admit(id(0))).toBe('new');
});

test('is carried over', () => {
  const window = new RequestWindow(ids(0, REQUEST_WINDOW + 5));
  expect(window.recent()).toEqual(ids(5, REQUEST_WINDOW + 5));
  expect([window.admit(id(5)), window.admit(id(4))]).toEqual(['repeated', 'new']);
});
