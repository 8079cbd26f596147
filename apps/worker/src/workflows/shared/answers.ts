import { defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { AnswerSignal } from '../../contract/index.ts';

export const answerUpdate = defineUpdate<void, [AnswerSignal]>('answer');
export const answerSignal = defineSignal<[AnswerSignal]>('answer');

type Answer = AnswerSignal['answer'];

/** Questions to people that one workflow waits on; each is answered once, the first answer wins. */
export class Answers {
  readonly #open = new Set<string>();
  readonly #given = new Map<string, AnswerSignal>();

  constructor() {
    setHandler(answerUpdate, (signal) => this.#take(signal), { validator: (signal) => this.#check(signal) });
    // A signal cannot be refused; one that comes too late changes nothing.
    setHandler(answerSignal, (signal) => {
      if (this.#open.has(signal.interactionId) && !this.#given.has(signal.interactionId)) this.#take(signal);
    });
  }

  ask(id: string): void {
    this.#open.add(id);
  }

  answerTo(id: string): Answer | undefined {
    return this.#given.get(id)?.answer;
  }

  /** No answer counts any more. */
  close(id: string): void {
    this.#open.delete(id);
  }

  #take(signal: AnswerSignal): void {
    if (!this.#given.has(signal.interactionId)) this.#given.set(signal.interactionId, signal);
  }

  #check(signal: AnswerSignal): void {
    const given = this.#given.get(signal.interactionId);
    if (given) {
      if (given.requestId === signal.requestId) return;
      throw ApplicationFailure.nonRetryable(`${signal.interactionId} has been answered already`, 'ALREADY_ANSWERED');
    }
    if (!this.#open.has(signal.interactionId))
      throw ApplicationFailure.nonRetryable(`nothing waits for ${signal.interactionId}`, 'INTERACTION_NOT_FOUND');
  }
}
