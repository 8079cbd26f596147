import { createHash } from 'node:crypto';
import type { IssuedCall } from '@everturn/tools/world';

/** Of the first calls of a program, in order; equal digests mean equal calls. */
export function digestOf(calls: readonly IssuedCall[], count: number): string {
  const hash = createHash('sha256');
  for (const { name, arguments: argument } of calls.slice(0, count)) hash.update(JSON.stringify([name, argument]));
  return hash.digest('hex');
}
