import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../platform/api-client.ts';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import { INTERRUPT_STATUS } from '../platform/exit-status.ts';

export interface CancelOnSignalInput {
  api: ApiClient;
  session: string;
  /** Tells the user what happens; must not throw. */
  tell: (text: string) => void;
}

/** Ctrl-C while a run is followed. */
export interface CancelOnSignal {
  /** Raised once the API took the cancel. */
  readonly taken: AbortSignal;
  readonly asked: boolean;
  /** Gives Ctrl-C back. */
  release(): void;
}

/** The first Ctrl-C cancels the turn and lets its end be shown; the second leaves at once. */
export function cancelOnSignal({ api, session, tell }: CancelOnSignalInput): CancelOnSignal {
  const taken = new AbortController();
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(INTERRUPT_STATUS);
    asked = true;
    tell('cancelling the turn; Ctrl-C again leaves at once');
    const request = {
      method: 'POST' as const,
      path: sessionPath(session, 'cancel'),
      idempotencyKey: randomUUID(),
      body: {},
    };
    api.json(request, RequestReceipt).then(
      () => taken.abort(),
      (error: unknown) =>
        tell(`the cancel did not reach the API: ${error instanceof Error ? error.message : String(error)}`),
    );
  };
  process.on('SIGINT', onSignal);
  return {
    taken: taken.signal,
    get asked() {
      return asked;
    },
    release: () => process.off('SIGINT', onSignal),
  };
}
