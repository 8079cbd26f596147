import { CancellationScope, sleep } from '@temporalio/workflow';
import { CANCEL_GRACE_MS } from '../../contract/index.ts';

/** How an activity ended, as a value. */
export type Effect<R> =
  | { kind: 'returned'; value: R }
  | { kind: 'failed'; error: Error }
  /** Cancelled, and still not back after the grace. */
  | { kind: 'abandoned' };

/** How a child workflow ended, as a value. */
export type ChildEnd<R> = Exclude<Effect<R>, { kind: 'abandoned' }>;

/** An effect of which nothing came back. */
export type NoReturn = Exclude<Effect<unknown>, { kind: 'returned' }>;

/**
 * The one way to stop what a turn or step is doing. Workflow code runs shielded from cancellation and asks
 * `requested`; only effects started here are cancelled, and they may still return what they have.
 */
export class Stop {
  readonly #scope = new CancellationScope({ cancellable: true });
  #requested = false;

  get requested(): boolean {
    return this.#requested;
  }

  request(): void {
    if (this.#requested) return;
    this.#requested = true;
    this.#scope.cancel();
  }

  /** Runs a child workflow that a stop reaches; it ends in its own time, because it bounds its own effects. */
  async child<R>(run: () => Promise<R>): Promise<ChildEnd<R>> {
    return this.#scope.run(run).then(
      (value) => ({ kind: 'returned', value }),
      (error: unknown) => ({ kind: 'failed', error: asError(error) }),
    );
  }

  /** Runs an activity that a stop reaches; never throws, so that the caller settles before it decides. */
  async effect<R>(run: () => Promise<R>): Promise<Effect<R>> {
    const work: Promise<Effect<R>> = this.child(run);
    const timer = new CancellationScope({ cancellable: true });
    const grace = this.#scope.cancelRequested.catch(async (): Promise<Effect<R>> =>
      timer
        .run(() => sleep(CANCEL_GRACE_MS))
        .then(
          () => ({ kind: 'abandoned' }),
          () => ({ kind: 'abandoned' }),
        ),
    );
    const first = await Promise.race([work, grace as Promise<Effect<R>>]);
    timer.cancel();
    return first;
  }

  /** How claims of an effect that did not return are settled: after a stop no longer than the grace. */
  settling(ended: NoReturn['kind']): 'wait' | 'cancel' | 'take-over' {
    if (ended === 'abandoned') return 'take-over';
    return this.#requested ? 'cancel' : 'wait';
  }

  /** Waits without holding anything; `false` when stopped first. */
  async pause(ms: number): Promise<boolean> {
    const result = await this.#scope
      .run(() => sleep(ms))
      .then(
        () => true,
        () => false,
      );
    return result && !this.#requested;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new TypeError(String(error)));
