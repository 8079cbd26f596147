import { DrainLossError } from '../streaming/drain.ts';

/** Why a running effect must end before its time. */
export type StopReason =
  /** The turn was cancelled: settle soon and record what there is. */
  | 'cancelled'
  /** The worker's shutdown grace is over. */
  | 'shutdown'
  /** Another attempt or generation owns the effect: whatever comes out of it is dropped. */
  | 'lost';

/** Raised as the reason of an effect's signal. */
export class EffectStopped extends Error {
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`the effect was stopped: ${reason}`);
    this.name = 'AbortError'; // what fetch, child processes and streams treat as an abort
    this.reason = reason;
  }
}

/** An effect whose body runs in this process, independent of the attempts that wait for it. */
export class RunningEffect<Result> {
  readonly #controller = new AbortController();
  readonly result: Promise<Result>;

  constructor(body: (effect: { signal: AbortSignal; stop: (reason: StopReason) => void }) => Promise<Result>) {
    this.result = Promise.resolve().then(() =>
      body({ signal: this.#controller.signal, stop: (reason) => this.stop(reason) }),
    );
    this.result.catch(() => undefined); // attempts that wait hear of it; none may be waiting
  }

  /** Raises the body's signal; the first reason counts. */
  stop(reason: StopReason): void {
    if (!this.#controller.signal.aborted) this.#controller.abort(new EffectStopped(reason));
  }
}

/** The reason an effect's signal was raised for; `undefined` while it is not. */
export function stopReason(signal: AbortSignal): StopReason | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof EffectStopped ? signal.reason.reason : 'cancelled';
}

/** Whether an error says that the effect belongs to somebody else now. */
export function isLoss(error: unknown): boolean {
  return (
    (error instanceof EffectStopped && error.reason === 'lost') ||
    (error instanceof DrainLossError && error.loss.kind === 'refused')
  );
}
