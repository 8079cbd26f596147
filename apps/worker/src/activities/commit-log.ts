import type { LogActivities } from '../contract/index.ts';
import { commit } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Numbers and stores events; the flush checkpoint of every turn. */
export function commitLogActivity({ projection, registry }: ActivityDeps): LogActivities['commitLog'] {
  return (input) =>
    failingAs(async () => {
      const committed = await commit(projection, input);
      if (input.commit.rows?.status === 'closed') registry.dispose(input.session);
      return committed;
    });
}
