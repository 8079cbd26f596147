import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents, percentOf } from '../src/money.ts';

test('writes whole amounts and cents', () => {
  assert.equal(formatCents(123_45), '123.45');
});

test('writes single cents with a leading zero', () => {
  assert.equal(formatCents(3_05), '3.05');
  assert.equal(formatCents(-7), '-0.07');
});

test('rounds shares to the nearest cent', () => {
  assert.equal(percentOf(99, 10), 10);
});
