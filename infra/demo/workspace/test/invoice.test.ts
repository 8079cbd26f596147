import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printInvoice } from '../src/invoice.ts';

test('prints lines, discount, total and due date', () => {
  const lines = [{ article: 'lamp', quantity: 3, unitPrice: 45_50 }];
  assert.equal(
    printInvoice(lines, '2026-03-02'),
    ['3 x lamp  136.50', 'Subtotal  136.50', 'Discount  13.65', 'Total  122.85, due 2026-04-01'].join('\n'),
  );
});
