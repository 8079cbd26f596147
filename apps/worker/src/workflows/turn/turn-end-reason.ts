import { interruption, turnEndReason, type TurnEndReason } from '@everturn/core/domain';
import type { TurnState } from './turn-state.ts';

/** Why the turn ends now because somebody stops it; `undefined` while nobody does. */
export function stopReason(turn: TurnState): TurnEndReason | undefined {
  return interruption(turn.cancellation);
}

/** How a turn ends that failed outside a model request; a stop outranks it. */
export function failureReason(turn: TurnState, error: { message: string; code?: string }): TurnEndReason {
  return reasonOf(turn, {
    kind: 'error',
    step: turn.step,
    message: error.message,
    ...(error.code !== undefined && { code: error.code }),
  });
}

/** How a turn ends, by precedence of everything that happened to it. */
export function reasonOf(turn: TurnState, error?: TurnEndReason & { kind: 'error' }): TurnEndReason {
  const { cancellation, tokenLimit } = turn;
  return turnEndReason({ cancellation, tokenLimit, ...(error && { error }) });
}
