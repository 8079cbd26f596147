import type { Stack } from '../support/stack.ts';
import { insist } from './client.ts';
import type { CallsById } from './play-model.ts';
import type { OpenQuestion } from './progress.ts';

/** What a person said about one call. */
export interface GivenAnswer {
  session: string;
  id: string;
  decision: 'allow' | 'deny';
  /** `late`: the question was closed by a cancel or a recovery meanwhile. */
  outcome: 'delivered' | 'queued' | 'late';
}

/** Answers each question once, as the plan of its call says. */
export class Person {
  readonly given: GivenAnswer[] = [];
  readonly #stack: Stack;
  readonly #calls: ReadonlyMap<string, CallsById>;
  readonly #seen = new Set<string>();
  readonly #answering: Promise<void>[] = [];

  constructor(stack: Stack, calls: ReadonlyMap<string, CallsById>) {
    this.#stack = stack;
    this.#calls = calls;
  }

  readonly hear = (question: OpenQuestion): void => {
    const key = `${question.session} ${question.id}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const answering = this.#answer(question);
    answering.catch(() => undefined); // heard of in `done`
    this.#answering.push(answering);
  };

  async done(): Promise<void> {
    await Promise.all(this.#answering);
  }

  async #answer({ session, id, callId }: OpenQuestion): Promise<void> {
    const decision = this.#calls.get(session)?.get(callId)?.approval === 'allow' ? 'allow' : 'deny';
    const { status, body } = await insist(this.#stack.api, {
      path: `/v1/sessions/${session}/approvals/${id}`,
      body: { decision },
      refusals: ['ALREADY_ANSWERED', 'INTERACTION_NOT_FOUND'],
    });
    const outcome = status === 202 ? (body['accepted'] as 'delivered' | 'queued') : 'late';
    this.given.push({ session, id, decision, outcome });
  }
}
