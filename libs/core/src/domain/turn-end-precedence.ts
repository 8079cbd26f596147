import type { Cancellation } from './cancellation.ts';
import { interruption } from './cancellation.ts';
import type { TurnEndReason } from './events.ts';

export interface TurnEndInput {
  cancellation: Cancellation;
  error?: TurnEndReason & { kind: 'error' };
  /** Whether any step hit the output ceiling; sticky even if the turn went on. */
  tokenLimit: 'hit' | 'clear';
}

/** How a turn ends: disposed > aborted > error > max-tokens > completed. */
export function turnEndReason({ cancellation, error, tokenLimit }: TurnEndInput): TurnEndReason {
  return interruption(cancellation) ?? error ?? { kind: tokenLimit === 'hit' ? 'max-tokens' : 'completed' };
}
