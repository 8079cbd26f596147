import { jobClaim, type JobControlActivities } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** Tells a job that runs in this process to end, at once and whatever else the host is busy with. */
export function killJobActivity({ effects }: ActivityDeps): JobControlActivities['killJob'] {
  return async ({ job, ...ref }) => (effects.stop({ ...ref, claim: jobClaim(job) }, 'cancelled') ? 'told' : 'absent');
}
