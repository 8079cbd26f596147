import { MAX_TIMER_MS } from '../../domain/index.ts';

/** What the provider asked us to wait, in ms: `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return Math.min(Math.ceil(exact), MAX_TIMER_MS);
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return wait > 0 ? Math.min(Math.ceil(wait), MAX_TIMER_MS) : undefined;
}
