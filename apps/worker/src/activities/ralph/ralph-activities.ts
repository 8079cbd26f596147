import type { RalphActivities } from '../../contract/index.ts';
import { commit } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { failingAs } from '../failure.ts';
import { endRound } from './end-round.ts';
import { prepareRound } from './prepare-round.ts';

/** Makes the activities about loops of agents. */
export function ralphActivities(deps: ActivityDeps): RalphActivities {
  return {
    prepareRound: (input) =>
      failingAs(async () => {
        const { acks } = await commit(deps.projection, input);
        return { ...(await prepareRound(deps, input)), acks };
      }),
    endRound: (input) =>
      failingAs(async () => {
        const { acks } = await commit(deps.projection, input);
        return { ...(await endRound(deps, input)), acks };
      }),
  };
}
