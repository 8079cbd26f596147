import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discount, total } from '../src/order.ts';

const chairs = (quantity: number) => [{ article: 'chair', quantity, unitPrice: 50_00 }];

test('small orders get no discount', () => {
  assert.equal(discount(chairs(1)), 0);
});

test('the discount begins at exactly 100.00', () => {
  assert.equal(discount(chairs(2)), 10_00);
});

test('large orders pay the rest', () => {
  assert.equal(total(chairs(4)), 180_00);
});
