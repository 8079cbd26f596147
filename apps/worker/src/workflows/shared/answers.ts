import { defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { SessionRefusal } from '@everturn/core/protocol';
import type { AnswerSignal, RequestOutcome } from '../../contract/index.ts';

export const answerUpdate = defineUpdate<void, [AnswerSignal]>('answer');
export const answerSignal = defineSignal<[AnswerSignal]>('answer');

type Answer = AnswerSignal['answer'];

/** Why an answer does not fit what was asked; nothing when it does. Pure. */
export type AnswerCheck = (answer: Answer) => string | undefined;

/** Questions to people that one workflow waits on; each is answered once, the first answer wins. */
export class Answers {
  readonly #open = new Map<string, AnswerCheck>();
  readonly #given = new Map<string, AnswerSignal>();
  #outcomes: RequestOutcome[] = [];
  #watcher: ((open: number) => void) | undefined;

  constructor() {
    setHandler(answerUpdate, (signal) => this.#take(signal), { validator: (signal) => this.#check(signal) });
    // A signal cannot be refused, so what became of it is told by the row of its request.
    setHandler(answerSignal, (signal) => {
      const { requestId } = signal;
      const refusal = this.#refusal(signal);
      if (refusal) this.#outcomes.push({ requestId, outcome: 'refused', ...refusal });
      else this.#outcomes.push({ requestId, outcome: 'accepted' });
      if (!refusal) this.#take(signal);
    });
  }

  /** Tells how many questions are open whenever that changes. */
  watch(watcher: (open: number) => void): void {
    this.#watcher = watcher;
  }

  ask(id: string, check: AnswerCheck): void {
    this.#open.set(id, check);
    this.#watcher?.(this.#open.size);
  }

  answerTo(id: string): Answer | undefined {
    return this.#given.get(id)?.answer;
  }

  /** No answer counts any more. */
  close(id: string): void {
    this.#open.delete(id);
    this.#watcher?.(this.#open.size);
  }

  #take(signal: AnswerSignal): void {
    if (!this.#given.has(signal.interactionId)) this.#given.set(signal.interactionId, signal);
  }

  /** What became of answers that came as signals since it was last asked. */
  takeOutcomes(): RequestOutcome[] {
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    return outcomes;
  }

  #check(signal: AnswerSignal): void {
    const refusal = this.#refusal(signal);
    if (refusal) throw ApplicationFailure.nonRetryable(refusal.message, refusal.code);
  }

  #refusal({ interactionId, requestId, answer }: AnswerSignal): { code: SessionRefusal; message: string } | undefined {
    const given = this.#given.get(interactionId);
    if (given?.requestId === requestId) return undefined;
    if (given) return { code: 'ALREADY_ANSWERED', message: `${interactionId} has been answered already` };
    const check = this.#open.get(interactionId);
    if (!check) return { code: 'INTERACTION_NOT_FOUND', message: `nothing waits for ${interactionId}` };
    const problem = check(answer);
    return problem === undefined ? undefined : { code: 'ANSWER_REFUSED', message: problem };
  }
}
