/** A bug the demo project has, and its cure. */
export interface Fix {
  file: string;
  /** The line that is wrong. */
  wrong: RegExp;
  cure: (line: string) => string;
  cause: string;
}

/** The three bugs of the demo project. */
export const fixes: readonly Fix[] = [
  {
    file: 'src/money.ts',
    wrong: /return `.*\$\{rest\}`;$/,
    cure: (line) => line.replace('${rest}', "${String(rest).padStart(2, '0')}"),
    cause: 'cents below ten were written with one digit, so 3.05 came out as 3.5',
  },
  {
    file: 'src/order.ts',
    wrong: /sum > DISCOUNT_FROM/,
    cure: (line) => line.replace('sum > DISCOUNT_FROM', 'sum >= DISCOUNT_FROM'),
    cause: 'the discount began above 100.00 instead of at 100.00',
  },
  {
    file: 'src/due-date.ts',
    wrong: /=== SATURDAY && .*=== SUNDAY/,
    cure: (line) => line.replace('&&', '||'),
    cause: 'a day was taken for a weekend only if it was Saturday and Sunday at once, so no due date ever moved',
  },
];
