import { type Cents, percentOf } from './money.ts';

/** One article of an order. */
export interface OrderLine {
  article: string;
  quantity: number;
  unitPrice: Cents;
}

const DISCOUNT_FROM: Cents = 100_00;
const DISCOUNT_PERCENT = 10;

/** What the lines cost before the discount. */
export function subtotal(lines: readonly OrderLine[]): Cents {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0);
}

/** The discount of an order: 10 % from 100.00 on. */
export function discount(lines: readonly OrderLine[]): Cents {
  const sum = subtotal(lines);
  return sum > DISCOUNT_FROM ? percentOf(sum, DISCOUNT_PERCENT) : 0;
}

/** What has to be paid. */
export function total(lines: readonly OrderLine[]): Cents {
  return subtotal(lines) - discount(lines);
}
