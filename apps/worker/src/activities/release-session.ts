import { forgetTerminals } from '@everturn/core/postgres';
import type { ReleaseActivities } from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';

/** Ends what a closing session holds on this machine; what refuses to end is told to operators, for nobody can wait. */
export function releaseSessionActivity({ machine, log, database }: ActivityDeps): ReleaseActivities['releaseSession'] {
  return async ({ tenant, session }) => {
    await machine?.endSession(session).catch((error: unknown) => {
      log.warn({ err: error, session }, 'something of a closed session could not be ended');
    });
    if (machine) await forgetTerminals(database, { tenant, session, host: machine.host });
  };
}
