import { setCurrentDetails } from '@temporalio/workflow';
import { assertNever, type TurnEndReason } from '@everturn/core/domain';
import { literal } from '../shared/inert-markdown.ts';
import type { TurnState } from './turn-state.ts';

const STEPS_SHOWN = 30;

/** What operators read about a step that is over. */
export interface ShownStep {
  readonly step: number;
  readonly did: string;
}

/** Shows operators where the turn stands, and what its latest steps did. */
export function describeTurn(turn: TurnState, state: string): void {
  setCurrentDetails(turnDetails({ turn: turn.input.turn, state, steps: turn.shownSteps }));
}

/** The same as text. */
export function turnDetails(input: { turn: number; state: string; steps: readonly ShownStep[] }): string {
  const { turn, state, steps } = input;
  const shown = steps.slice(-STEPS_SHOWN);
  const first = shown[0]?.step ?? 1;
  return [
    `**Turn ${turn}** · ${state}`,
    '',
    ...(first > 1 ? [`- steps before ${first} are not listed here`] : []),
    ...shown.map(({ step, did }) => `- step ${step}: ${literal(did) || 'said nothing'}`),
  ].join('\n');
}

/** Keeps what a step did, for as long as it would be shown. */
export function rememberStep(turn: TurnState, did: string): void {
  turn.shownSteps = [...turn.shownSteps.slice(1 - STEPS_SHOWN), { step: turn.step, did }];
}

/** How a turn ended, in words. */
export function endOfTurn(reason: TurnEndReason): string {
  switch (reason.kind) {
    case 'completed':
    case 'aborted':
    case 'disposed':
    case 'max-tokens':
    case 'interrupted':
      return reason.kind;
    case 'rejected':
      return `rejected: ${literal(reason.reason)}`;
    case 'error':
      return `failed in step ${reason.step}: ${literal(failureText('failure' in reason ? reason.failure : reason))}`;
    default:
      return assertNever(reason);
  }
}

/** A failure in one line. */
export function failureText({ code, message }: { code?: string; message: string }): string {
  return code === undefined ? message : `${code}: ${message}`;
}
