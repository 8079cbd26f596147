import type { LogFollower } from './log-follower.ts';
import type { SessionKey } from './log-source.ts';
import type { SessionTail } from './session-tail.ts';
import { Wake } from './wake.ts';

export interface WatchLogInput {
  key: SessionKey;
  timeoutMs: number;
  /** Raised when the caller is gone. */
  signal?: AbortSignal;
}

/**
 * What a watcher has: the end of the log, a bell that rings with each commit, and the end of its time or of this
 * process, which rings it too.
 */
export interface WatchedLog {
  tail: SessionTail;
  wake: Wake;
  deadline: AbortSignal;
}

/** Lends a log to somebody who waits for something in it, for a time. */
export function watchLog<T>(
  follower: LogFollower,
  { key, timeoutMs, signal }: WatchLogInput,
  watch: (log: WatchedLog) => Promise<T>,
): Promise<T> {
  return follower.withTail(key, async (tail) => {
    const wake = new Wake();
    const ending = new AbortController();
    const forget = follower.shutdown.tell(() => ending.abort());
    const ends = [AbortSignal.timeout(timeoutMs), ending.signal, ...(signal ? [signal] : [])];
    const deadline = AbortSignal.any(ends);
    deadline.addEventListener('abort', () => wake.ring(), { once: true });
    tail.join(wake);
    try {
      await tail.ring();
      return await watch({ tail, wake, deadline });
    } finally {
      tail.leave(wake);
      forget();
    }
  });
}
