/** Now in ms on the machine's monotonic clock, which all processes share; for intervals only, not a date. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
