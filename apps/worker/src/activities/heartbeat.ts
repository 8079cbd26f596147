import { Context } from '@temporalio/activity';
import { HEARTBEAT_EVERY_MS } from '../contract/index.ts';

/** Why an attempt of an activity need not be answered any more, or must end its work. */
export type AttemptNews =
  /** The workflow wants the work cancelled. */
  | 'cancel-requested'
  /** The server gave this attempt up; the body runs on and its outcome waits in the claim. */
  | 'attempt-gone'
  /** The worker's grace is over: whoever merely waits gives way. */
  | 'worker-stops';

/**
 * Beats for an attempt and passes on what the server says. The SDK's own signal is not enough: it also fires when the
 * server merely lost the attempt or the worker shuts down, and only once.
 */
export function keepBeating(context: Context, onNews: (news: AttemptNews) => void): () => void {
  const told = new Set<AttemptNews>();
  const tell = (news: AttemptNews) => {
    if (told.has(news)) return;
    told.add(news);
    onNews(news);
  };
  const look = () => {
    const details = context.cancellationDetails;
    if (details?.cancelRequested) tell('cancel-requested');
    else if (details?.notFound || details?.timedOut || details?.reset) tell('attempt-gone');
    else if (details?.workerShutdown) tell('worker-stops');
  };
  const beat = setInterval(() => {
    context.heartbeat();
    look();
  }, HEARTBEAT_EVERY_MS);
  context.cancellationSignal.addEventListener('abort', look);
  look();
  return () => {
    clearInterval(beat);
    context.cancellationSignal.removeEventListener('abort', look);
  };
}

/** Activities as they are, but that beat while they run; those that listen to what the server says keep beating themselves. */
export function beating<T extends object>(activities: T): T {
  const entries = Object.entries(activities as Record<string, (input: unknown) => Promise<unknown>>);
  const beatingOnes = entries.map(([name, run]) => [
    name,
    async (input: unknown) => {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS);
      try {
        return await run(input);
      } finally {
        clearInterval(beat);
      }
    },
  ]);
  return Object.fromEntries(beatingOnes) as T;
}
