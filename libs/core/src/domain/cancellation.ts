import type { OpenState } from './enclosure.ts';
import type { TurnEndReason } from './events.ts';

/** Who stopped a turn; runtime only, the log says `aborted` or `disposed`. */
export type CancelCause = 'user' | 'parent' | 'disposed';

/** Whether and why a turn is being stopped. */
export type Cancellation = { kind: 'none' } | { kind: 'requested'; cause: CancelCause };

/** Takes a request to stop: the first cause stays, but disposal beats the others. */
export function requestCancel(current: Cancellation, cause: CancelCause): Cancellation {
  const keeps = current.kind === 'requested' && (current.cause === 'disposed' || cause !== 'disposed');
  return keeps ? current : Object.freeze({ kind: 'requested', cause });
}

/** The reason a stopped turn ends with; `undefined` while nobody stops it. */
export function interruption(
  cancellation: Cancellation,
): (TurnEndReason & { kind: 'aborted' | 'disposed' }) | undefined {
  if (cancellation.kind === 'none') return undefined;
  return { kind: cancellation.cause === 'disposed' ? 'disposed' : 'aborted' };
}

/** A boundary event still to be written. */
export type Closer =
  | { type: 'step/end'; data: { turn: number; step: number } }
  | { type: 'turn/end'; data: { turn: number; reason: TurnEndReason } };

/** The events that close what is open, innermost first; nothing when no turn is open. */
export function closersOf({ turn, step }: OpenState, reason: TurnEndReason): Closer[] {
  if (turn === undefined) return [];
  const end: Closer = { type: 'turn/end', data: { turn, reason } };
  return step === undefined ? [end] : [{ type: 'step/end', data: { turn, step } }, end];
}
