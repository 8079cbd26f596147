import type { SessionEvent } from '@everturn/core/domain';
import { expect } from 'vitest';
import type { GivenAnswer } from './answer-questions.ts';

const OUTCOMES = { allow: 'allowed-once', deny: 'rejected' } as const;

/** An answer that was delivered is what the log says; one that was queued may have come too late; nobody else answers. */
export function checkAnswers(events: readonly SessionEvent[], given: readonly GivenAnswer[]): void {
  const wrong = events.flatMap((event) => {
    if (event.type !== 'approval/decided') return [];
    const { id, outcome } = event.data;
    const answer = given.find((one) => one.id === id);
    const isOurs = answer !== undefined && answer.outcome !== 'late' && outcome === OUTCOMES[answer.decision];
    return isOurs || (outcome === 'cancelled' && answer?.outcome !== 'delivered') ? [] : [{ id, outcome, answer }];
  });
  expect(wrong).toEqual([]);
}
