import type { Stack } from '../support/stack.ts';
import type { Strike, Victim } from './plan.ts';
import type { Progress } from './progress.ts';

export interface StrikeAllInput {
  stack: Stack;
  progress: Progress;
  strikes: readonly Strike[];
  /** Raised when the wave is over: strikes that are not yet due are left out. */
  over: AbortSignal;
}

/** Kills what the plan names when the wave is that far, and starts it again; answers what it killed. */
export async function strikeAll({ stack, progress, strikes, over }: StrikeAllInput): Promise<Victim[]> {
  const struck: Victim[] = [];
  // Different victims may be down at the same time; the same one has to be up to be killed again.
  const last = new Map<Victim, Promise<void>>();
  const strike = async ({ victim, after }: Strike, before: Promise<void> | undefined) => {
    await before;
    // A worker is killed in the middle of something, or nothing would be learned of effects.
    const isDue = () => progress.total >= after && (victim !== 'worker' || progress.isActing);
    await progress.until(`the strike at ${after} events`, () => over.aborted || isDue());
    if (over.aborted) return;
    struck.push(victim);
    await killAndStart(stack, victim);
  };
  for (const planned of strikes) last.set(planned.victim, strike(planned, last.get(planned.victim)));
  await Promise.all(last.values());
  return struck;
}

async function killAndStart(stack: Stack, victim: Victim): Promise<void> {
  switch (victim) {
    case 'worker':
      await stack.worker().kill9();
      return stack.startWorker();
    case 'api':
      await stack.apiProcess().kill9();
      return stack.startApi();
    case 'postgres':
      await stack.postgresServer?.kill9();
      return stack.postgresServer?.start();
    default:
      await stack.temporalServer?.kill9();
      return stack.temporalServer?.start();
  }
}
