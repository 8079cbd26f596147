import { resolveLocalTime } from '@everturn/core/domain';
import type { TimeActivities } from '../contract/index.ts';

/** The instant at which clocks somewhere show a time, by this machine's time zones. */
export const resolveTimeActivity = (): TimeActivities['resolveTime'] => async (local) => ({
  at: resolveLocalTime(local),
});
