import type { AuthoredDataOf } from './authored.ts';
import type { SessionEvent } from './events.ts';
import './hook-events.ts';

/** The second half of a pair whose author died. */
export type PairCloser =
  | { type: 'approval/decided'; data: AuthoredDataOf<'approval/decided'> }
  | { type: 'hook/result'; data: AuthoredDataOf<'hook/result'> };

/** What a dead author has asked and never said the end of: approvals, and external hooks. */
export class OpenPairs {
  readonly #open = new Map<string, PairCloser>();

  follow(event: SessionEvent): void {
    if (event.type === 'turn/start') this.#open.clear();
    if (event.type === 'approval/asked') {
      const { id } = event.data;
      this.#open.set(`approval ${id}`, { type: 'approval/decided', data: { id, outcome: 'cancelled' } });
    }
    if (event.type === 'approval/decided') this.#open.delete(`approval ${event.data.id}`);
    if (event.type === 'hook/invoked') {
      const { turn, point, handlerId } = event.data;
      const ended = { decision: 'pass', durationMs: 0, stderrSummary: 'nobody knows how it ended' } as const;
      this.#open.set(`hook ${handlerId}`, { type: 'hook/result', data: { turn, point, handlerId, ...ended } });
    }
    if (event.type === 'hook/result') this.#open.delete(`hook ${event.data.handlerId}`);
  }

  /** In order of asking. */
  closers(): PairCloser[] {
    return [...this.#open.values()];
  }
}
