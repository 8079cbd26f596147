import type { EffectRunner } from '../activities/index.ts';
import { WorkerError } from './worker-error.ts';

export interface StopBodiesInput {
  effects: EffectRunner;
  graceMs: number;
  signal: AbortSignal;
}

/** Lets running bodies finish within the grace once the process is to stop, then stops them; a lost host stops them at once. */
export function stopBodies({ effects, graceMs, signal }: StopBodiesInput): void {
  signal.addEventListener('abort', () => {
    if (signal.reason instanceof WorkerError) effects.stopAll('lost');
    else setTimeout(() => effects.stopAll('shutdown'), graceMs).unref();
  });
}
