import { dueDate } from './due-date.ts';
import { formatCents } from './money.ts';
import { discount, type OrderLine, subtotal, total } from './order.ts';

/** The invoice as it is printed. */
export function printInvoice(lines: readonly OrderLine[], invoiced: string): string {
  const articles = lines.map((line) => `${line.quantity} x ${line.article}  ${formatCents(line.quantity * line.unitPrice)}`);
  return [
    ...articles,
    `Subtotal  ${formatCents(subtotal(lines))}`,
    `Discount  ${formatCents(discount(lines))}`,
    `Total  ${formatCents(total(lines))}, due ${dueDate(invoiced)}`,
  ].join('\n');
}
