import { findHost } from '@everturn/core/postgres';
import type { HostActivities } from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Binds a session to a live host whose roots hold its workspace, or says why none can be had. */
export function assignHostActivity({ database }: ActivityDeps): HostActivities['assignHost'] {
  return ({ tenant, session, cwd }) =>
    failingAs(() => findHost(database, { tenant, session, ...(cwd !== undefined && { cwd }) }));
}
