import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueDate } from '../src/due-date.ts';

test('an invoice is due 30 days later', () => {
  assert.equal(dueDate('2026-03-02'), '2026-04-01');
});

test('a due date on a weekend moves to Monday', () => {
  assert.equal(dueDate('2026-01-01'), '2026-02-02');
  assert.equal(dueDate('2026-01-30'), '2026-03-02');
});
