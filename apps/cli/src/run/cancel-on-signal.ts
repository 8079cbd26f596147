import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../platform/api-client.ts';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import { INTERRUPT_STATUS } from '../platform/exit-status.ts';
import { inertLine } from '../terminal/inert.ts';

/** One Ctrl-C reaches us several times: from the terminal, and from npm and the launcher above us, which pass it on. */
const sameKeypressMs = 500;

export interface CancelOnSignalInput {
  api: ApiClient;
  /** Tells the user what happens; must not throw. */
  tell: (text: string) => void;
}

/** Ctrl-C while a run is started and followed. */
export interface CancelOnSignal {
  /** Raised once the session has the cancel. */
  readonly taken: AbortSignal;
  readonly asked: boolean;
  /** Says which session to cancel; a Ctrl-C that came before is made good now. */
  aim(session: string): void;
  /** Gives Ctrl-C back. */
  release(): void;
}

/** The first Ctrl-C cancels the turn and lets its end be shown; the second leaves at once. */
export function cancelOnSignal({ api, tell }: CancelOnSignalInput): CancelOnSignal {
  const taken = new AbortController();
  let asked = false;
  let askedAt = 0;
  let target: string | undefined;
  const cancel = (session: string) => {
    tell('cancelling the turn; Ctrl-C again leaves at once');
    sendCancel(api, session).then(
      ({ accepted }) => {
        if (accepted === 'delivered') return taken.abort();
        // Without a worker the turn's end may be hours away, and nothing is gained by waiting for it here.
        tell('no worker answers just now; the cancel is kept and will be applied');
        process.exit(INTERRUPT_STATUS);
      },
      (error: unknown) => tell(`the cancel did not reach the API: ${reasonOf(error)}`),
    );
  };
  const onSignal = () => {
    const now = performance.now();
    if (asked) {
      if (now - askedAt > sameKeypressMs) process.exit(INTERRUPT_STATUS);
      return;
    }
    asked = true;
    askedAt = now;
    if (target !== undefined) cancel(target);
  };
  process.on('SIGINT', onSignal);
  return {
    taken: taken.signal,
    get asked() {
      return asked;
    },
    aim: (session) => {
      target = session;
      if (asked) cancel(session);
    },
    release: () => process.off('SIGINT', onSignal),
  };
}

function sendCancel(api: ApiClient, session: string) {
  const path = sessionPath(session, 'cancel');
  return api.json({ method: 'POST', path, idempotencyKey: randomUUID(), body: {} }, RequestReceipt);
}

const reasonOf = (error: unknown): string => inertLine(error instanceof Error ? error.message : String(error), 300);
