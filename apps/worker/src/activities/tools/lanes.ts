import type { SessionId } from '@everturn/core/domain';
import { pauseFor } from '../effects/retry.ts';

/**
 * Keeps a session's calls on this machine apart from bodies that were told to stop and have not yet: their outcome has
 * been settled without them, so nothing else knows that they still touch the workspace.
 */
export class Lanes {
  readonly #bodies = new Map<SessionId, Set<{ signal: AbortSignal; quiet: Promise<unknown> }>>();

  /** Waits until no body of the session lingers, or the signal is raised; says which. */
  async clear(session: SessionId, signal: AbortSignal): Promise<'clear' | 'stopped'> {
    for (;;) {
      if (signal.aborted) return 'stopped';
      const lingering = [...(this.#bodies.get(session) ?? [])].filter((body) => body.signal.aborted);
      if (lingering.length === 0) return 'clear';
      await Promise.race([Promise.all(lingering.map(({ quiet }) => quiet)), pauseFor(60_000, signal)]);
    }
  }

  /** Runs a body on its session's lane; the lane is blocked from the moment its signal is raised until it settles. */
  async run<T>(session: SessionId, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const result = run();
    const body = { signal, quiet: result.catch(() => undefined) };
    const bodies = this.#bodies.get(session) ?? new Set();
    this.#bodies.set(session, bodies.add(body));
    try {
      return await result;
    } finally {
      bodies.delete(body);
      if (bodies.size === 0 && this.#bodies.get(session) === bodies) this.#bodies.delete(session);
    }
  }
}
