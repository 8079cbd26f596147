const DAY_MS = 24 * 60 * 60 * 1000;
const TERM_DAYS = 30;
const SATURDAY = 6;
const SUNDAY = 0;

/** The day an invoice of a day (`YYYY-MM-DD`) has to be paid; a weekend moves to the Monday after it. */
export function dueDate(invoiced: string): string {
  let due = new Date(Date.parse(`${invoiced}T00:00:00Z`) + TERM_DAYS * DAY_MS);
  while (due.getUTCDay() === SATURDAY && due.getUTCDay() === SUNDAY) {
    due = new Date(due.getTime() + DAY_MS);
  }
  return due.toISOString().slice(0, 10);
}
