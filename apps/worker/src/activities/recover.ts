import type { BirthActivities } from '../contract/index.ts';
import { recover } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Closes a turn whose workflow died: generation first, then claims, then the closing events. */
export function recoverActivity({ projection, permissionMode }: ActivityDeps): BirthActivities['recover'] {
  return (input) => failingAs(() => recover(projection, input, { permissionMode }));
}
