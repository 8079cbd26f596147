import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { waitFor } from '@everturn/core/testing';
import type { Stack } from '../support/stack.ts';

/** How far one session is, as its rows say. */
export interface SessionProgress {
  /** Events without chunks. */
  events: number;
  status: string;
  queueLength: number;
  /** Messages that were accepted, and neither claimed by a turn nor dropped. */
  waiting: number;
  /** Calls whose body runs now. */
  bodies: number;
}

const NOTHING_YET: SessionProgress = { events: 0, status: 'starting', queueLength: 0, waiting: 0, bodies: 0 };

export interface OpenQuestion {
  session: string;
  id: string;
  callId: string;
}

/** Watches all sessions of a stack in one query, so that twenty drivers cost as much as one; outages it sits out. */
export class Progress {
  readonly #stack: Stack;
  #sessions = new Map<string, SessionProgress>();
  #state: 'watching' | 'ended' = 'watching';
  #begun = 0;
  #done = 0;
  readonly #watching: Promise<void>;

  constructor(stack: Stack, onQuestion: (question: OpenQuestion) => void) {
    this.#stack = stack;
    this.#watching = this.#watch(onQuestion);
  }

  of(session: string): SessionProgress {
    return this.#sessions.get(session) ?? NOTHING_YET;
  }

  get total(): number {
    return [...this.#sessions.values()].reduce((sum, { events }) => sum + events, 0);
  }

  /** Whether something runs that a killed worker leaves undecided. */
  get isActing(): boolean {
    return [...this.#sessions.values()].some(({ bodies }) => bodies > 0);
  }

  /** Waits until what is known fulfils the condition. */
  async until(what: string, condition: () => boolean, timeoutMs = 240_000): Promise<void> {
    await waitFor(condition, { what, timeoutMs, everyMs: 25 });
  }

  /** Waits until what is known was looked up after this call. */
  async refreshed(): Promise<void> {
    const before = this.#begun;
    await this.until('a look at all sessions', () => this.#done > before);
  }

  async end(): Promise<void> {
    this.#state = 'ended';
    await this.#watching;
  }

  async #watch(onQuestion: (question: OpenQuestion) => void): Promise<void> {
    while (this.#state === 'watching') {
      await this.#look(onQuestion).catch(() => undefined);
      await pause(100);
    }
  }

  async #look(onQuestion: (question: OpenQuestion) => void): Promise<void> {
    this.#begun += 1;
    const look = this.#begun;
    const { rows } = await sql<SessionProgress & { id: string }>`
      select s.id, s.status, s.queue_length as "queueLength",
        (select count(*)::integer from session_events as e where e.session_id = s.id and type <> 'assistant/chunk') as events,
        (select count(*)::integer from prompts as p where p.session_id = s.id and state in ('accepted', 'queued')) as waiting,
        (select count(*)::integer from claims as c where c.session_id = s.id and state = 'claimed' and key ~ '[.]c[0-9]+$') as bodies
      from sessions as s`.execute(this.#stack.database);
    const questions = await sql<OpenQuestion>`
      select session_id as session, id, call_id as "callId" from interactions where state = 'open'`.execute(
      this.#stack.database,
    );
    this.#sessions = new Map(rows.map(({ id, ...progress }) => [id, progress]));
    this.#done = look;
    for (const question of questions.rows) onQuestion(question);
  }
}
