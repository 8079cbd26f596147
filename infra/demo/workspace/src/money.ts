/** An amount of money in cents; never a fraction. */
export type Cents = number;

/** Writes an amount: `1234` as `12.34`. */
export function formatCents(amount: Cents): string {
  const sign = amount < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(amount) / 100);
  const rest = Math.abs(amount) % 100;
  return `${sign}${whole}.${rest}`;
}

/** A share of an amount, rounded to the nearest cent. */
export function percentOf(amount: Cents, percent: number): Cents {
  return Math.round((amount * percent) / 100);
}
