import {
  assertNever,
  defaultContinuation,
  nextContinuation,
  type ContinuationDecision,
  type TurnEndReason,
} from '@everturn/core/domain';
import { askListeners } from '../shared/ask-listeners.ts';
import type { Next } from './run-steps.ts';
import { listens } from '../step/step-state.ts';
import { failureReason, reasonOf, stopReason } from './turn-end-reason.ts';
import { askerOf, type TurnState } from './turn-state.ts';

/** What a settled step says about going on. */
export interface StepFacts {
  toolCalls: number;
  steered: number;
  /** A tool's result concludes the turn. */
  concluded: boolean;
}

type Asked<T> = { kind: 'answer'; answer: T } | { kind: 'end'; reason: TurnEndReason };

/** Another step or the turn's end, by what the step left, what listeners say and what waits. */
export async function decideContinuation(turn: TurnState, facts: StepFacts): Promise<Next> {
  const continuation = await askContinuation(turn, defaultContinuation(facts));
  if (continuation.kind === 'end') return continuation;
  const stop = await askTurnStop(turn);
  if (stop.kind === 'end') return stop;
  const stopped = stopReason(turn);
  if (stopped) return { kind: 'end', reason: stopped };
  const { answer: decision } = continuation;
  const next = nextContinuation({
    decision,
    pendingSteering: turn.steering.waiting,
    terminalStop: facts.concluded ? 'requested' : stop.answer,
  });
  switch (next.kind) {
    case 'continue':
      if (decision.kind === 'continue' && decision.reason) turn.reason = decision.reason;
      return { kind: 'continue' };
    case 'stop':
      turn.lateSteering = next.steering;
      return { kind: 'end', reason: reasonOf(turn) };
    default:
      return assertNever(next);
  }
}

async function askContinuation(turn: TurnState, given: ContinuationDecision): Promise<Asked<ContinuationDecision>> {
  const { assembly } = turn;
  if (!assembly || !listens({ assembly }, 'agent/turn-continuation')) return { kind: 'answer', answer: given };
  const verdict = await askListeners(askerOf(turn), { point: 'agent/turn-continuation', decision: given.kind });
  if (verdict.kind === 'stopped') return { kind: 'end', reason: reasonOf(turn) };
  if (verdict.kind === 'threw') return { kind: 'end', reason: failureReason(turn, verdict) };
  const { action, ...rest } = verdict.decision;
  return { kind: 'answer', answer: { kind: action, ...rest } };
}

async function askTurnStop(turn: TurnState): Promise<Asked<'requested' | 'none'>> {
  const { assembly } = turn;
  if (!assembly || !listens({ assembly }, 'agent/turn-stop')) return { kind: 'answer', answer: 'none' };
  const verdict = await askListeners(askerOf(turn), { point: 'agent/turn-stop' });
  if (verdict.kind === 'stopped') return { kind: 'end', reason: reasonOf(turn) };
  if (verdict.kind === 'threw') return { kind: 'end', reason: failureReason(turn, verdict) };
  return { kind: 'answer', answer: verdict.decision.action === 'stop' ? 'requested' : 'none' };
}
