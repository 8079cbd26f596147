import { Context } from '@temporalio/activity';
import type { SettleActivities } from '../contract/index.ts';
import { settle } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';
import { leaveRoutes } from './streaming/route-turn.ts';

/** Closes claims for good after any activity or child failure; waits for live holders where it is told to. */
export function settleActivity(deps: ActivityDeps): SettleActivities['settle'] {
  return (input) =>
    failingAs(async () => {
      const settled = await settle(deps.projection, input, { signal: Context.current().cancellationSignal });
      const claims = input.claims.filter((claim) => settled.settlements[claim]?.state === 'not-started');
      await leaveRoutes(deps, { ...input, claims });
      return settled;
    });
}
