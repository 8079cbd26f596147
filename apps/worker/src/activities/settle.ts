import { Context } from '@temporalio/activity';
import type { SettleActivities } from '../contract/index.ts';
import { settle } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Closes claims for good after any activity or child failure; waits for live holders where it is told to. */
export function settleActivity({ projection }: ActivityDeps): SettleActivities['settle'] {
  return (input) => failingAs(() => settle(projection, input, { signal: Context.current().cancellationSignal }));
}
