import type { LiveNotification } from '../contract/index.ts';

export type LiveListener = (notification: LiveNotification) => void;

/** In-process observers of what happens now; nothing here is an event and nothing is replayed. */
export interface LiveBus {
  /** Adds an observer; the returned function removes it. A failing observer is contained. */
  onLive(listener: LiveListener): () => void;
  /** Tells every observer; never throws. */
  publish(notification: LiveNotification): void;
}

/** Makes a bus; `onError` is told what observers throw. */
export function createLiveBus(input: { onError: (error: unknown, notification: LiveNotification) => void }): LiveBus {
  const listeners = new Set<LiveListener>();
  return {
    onLive(listener) {
      const own: LiveListener = (notification) => listener(notification);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    publish(notification) {
      for (const listener of listeners) {
        try {
          listener(notification);
        } catch (error) {
          input.onError(error, notification);
        }
      }
    },
  };
}
