import { liveHostOf } from '@everturn/core/postgres';
import type { HostActivities } from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Finds the live host a session is bound to, so that something can be ended there. */
export function boundHostActivity({ database }: ActivityDeps): HostActivities['boundHost'] {
  return ({ tenant, session }) =>
    failingAs(async () => ({ host: (await liveHostOf(database, { tenant, session })) ?? null }));
}
