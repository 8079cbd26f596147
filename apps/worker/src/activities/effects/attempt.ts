import type { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { keepBeating } from '../heartbeat.ts';
import { pauseFor } from './retry.ts';
import type { RunningEffect } from './running-effect.ts';

/** One attempt of an activity: its heartbeats, and what the server tells it. */
export class Attempt {
  readonly #stopBeating: () => void;
  readonly #gone = new AbortController();
  readonly #giveWay = new AbortController();
  readonly #news = new EventTarget();
  #cancelRequested = false;

  constructor(context: Context) {
    this.#stopBeating = keepBeating(context, (news) => {
      if (news === 'attempt-gone') this.#gone.abort();
      if (news === 'cancel-requested') this.#cancelRequested = true;
      if (news === 'worker-stops') this.#giveWay.abort();
      this.#news.dispatchEvent(new Event('news'));
    });
  }

  /** Whether the workflow wants the work cancelled. */
  get cancelRequested(): boolean {
    return this.#cancelRequested;
  }

  /** Waits for a body that runs in this process and passes a cancel on to it; throws when the attempt is gone. */
  async waitFor<Result>(running: RunningEffect<Result>): Promise<Result> {
    const gone = Promise.withResolvers<never>();
    const pass = () => {
      if (this.#cancelRequested) running.stop('cancelled');
      if (this.#gone.signal.aborted) gone.reject(abandoned());
    };
    this.#news.addEventListener('news', pass);
    pass();
    try {
      return await Promise.race([running.result, gone.promise]);
    } finally {
      this.#news.removeEventListener('news', pass);
    }
  }

  /** Throws when nobody waits for this attempt, or its worker stops: another one will answer. */
  throwIfGone(): void {
    if (this.#gone.signal.aborted || this.#giveWay.signal.aborted) throw abandoned();
  }

  /** Waits in ms, or less when the attempt is to end. */
  async pause(ms: number): Promise<void> {
    await pauseFor(ms, AbortSignal.any([this.#gone.signal, this.#giveWay.signal]));
  }

  /** Ends the heartbeats. */
  end(): void {
    this.#stopBeating();
  }
}

function abandoned(): CancelledFailure {
  return new CancelledFailure('the server gave this attempt up; the work goes on and its outcome is kept');
}
