import type { LogRow } from './tail-ring.ts';

/** Which events a reader wants; without types all of them. */
export interface EventFilter {
  types?: readonly string[];
  chunks: 'included' | 'left-out';
}

/** Whether a reader wants this event. */
export function wants({ types, chunks }: EventFilter, { type }: LogRow): boolean {
  if (chunks === 'left-out' && type === 'assistant/chunk') return false;
  return types === undefined || types.includes(type);
}
