import type { AuthoredDataOf } from './authored.ts';
import type { SessionEvent } from './events.ts';
import './hook-events.ts';
import type { CallId } from './ids.ts';
import type { SubCallIdentity } from './program-events.ts';
import { settledResult, type SettledCall } from './recovery-results.ts';

/** The second half of a pair whose author died. */
export type PairCloser =
  | { type: 'approval/decided'; data: AuthoredDataOf<'approval/decided'> }
  | { type: 'hook/result'; data: AuthoredDataOf<'hook/result'> }
  | { type: 'tool/ptc-dispatch'; data: AuthoredDataOf<'tool/ptc-dispatch'> };

/** What a dead author has begun and never said the end of: approvals, external hooks, and calls of programs. */
export class OpenPairs {
  readonly #open = new Map<string, PairCloser>();
  readonly #subCalls = new Map<CallId, SubCallIdentity>();

  follow(event: SessionEvent): void {
    if (event.type === 'turn/start') this.#open.clear();
    if (event.type === 'turn/start' || event.type === 'step/start') this.#subCalls.clear();
    if (event.type === 'tool/ptc-dispatch-start') this.#subCalls.set(event.data.subCallId, event.data);
    if (event.type === 'tool/ptc-dispatch') this.#subCalls.delete(event.data.subCallId);
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

  /** Calls of programs that were recorded as started and not as settled. */
  subCalls(): SubCallIdentity[] {
    return [...this.#subCalls.values()];
  }

  /** In order of beginning, what was asked first; `settled` has what claims say of calls of programs. */
  closers(settled: ReadonlyMap<CallId, SettledCall> = new Map()): PairCloser[] {
    const dispatched = this.subCalls().map((identity): PairCloser => {
      const { content, isError, error } = settledResult(settled.get(identity.subCallId), true);
      return { type: 'tool/ptc-dispatch', data: { ...identity, content, isError, ...(error && { error }) } };
    });
    return [...this.#open.values(), ...dispatched];
  }
}
