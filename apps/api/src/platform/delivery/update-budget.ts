import { Injectable } from '@nestjs/common';
import type { SessionId } from '@everturn/core/domain';

/** A run takes 2,000 updates; while a turn is open it cannot begin another run, so we stop well before. */
const MOST_UPDATES = 1_500;
const MAX_SESSIONS = 20_000;

/**
 * Counts the updates this process sent to each session while one turn was open. Other processes count for
 * themselves: the server's own refusal is the last word, and leads to the same signal.
 */
@Injectable()
export class UpdateBudget {
  readonly #sent = new Map<SessionId, { turn: number; updates: number }>();

  /** Which way the next message should take; `openTurn` as the session's row says. */
  next(session: SessionId, openTurn: number | undefined): 'update' | 'signal' {
    if (openTurn === undefined) {
      this.#sent.delete(session);
      return 'update';
    }
    const known = this.#sent.get(session);
    const updates = known?.turn === openTurn ? known.updates + 1 : 1;
    this.#sent.delete(session);
    this.#sent.set(session, { turn: openTurn, updates });
    this.#forgetOldest();
    return updates > MOST_UPDATES ? 'signal' : 'update';
  }

  #forgetOldest(): void {
    if (this.#sent.size <= MAX_SESSIONS) return;
    const oldest = this.#sent.keys().next().value;
    if (oldest !== undefined) this.#sent.delete(oldest);
  }
}
