import type { JobEnd } from '@everturn/tools/kit';
import { JOB_LOST, jobClaim, jobEnd, type Settlement } from '../../contract/index.ts';
import { assignHost, runJob, settle } from '../proxies.ts';
import type { NoReturn } from '../shared/stop.ts';
import { isNotPickedUp } from '../step/lost-call.ts';
import type { JobState } from './job-state.ts';
import { runAgentJob } from './run-agent-job.ts';

/** Runs the body where its machine is, until there is an end or nobody can bring one. */
export async function runToEnd(job: JobState): Promise<JobEnd> {
  const { host, searchAttributes: _search, agent, ...body } = job.input;
  if (agent) return runAgentJob(job, agent);
  if (host === undefined) throw new TypeError(`job ${job.ref.job} has no machine`);
  for (;;) {
    const result = await job.stop.effect(() => runJob(body, host));
    job.telling.cancel();
    if (result.kind === 'returned') return result.value.end;
    const gone = await whyNotTaken(job, result);
    if (gone === 'try-again') continue;
    const claim = jobClaim(job.ref.job);
    const live = job.stop.settling(result.kind);
    const { settlements } = await settle({ ...job.ref, claims: [claim], live });
    return endOf(settlements[claim], job, gone);
  }
}

/** Nobody took it from the host's queue in time: a host that lives is merely busy. */
async function whyNotTaken(job: JobState, result: NoReturn): Promise<'try-again' | string | undefined> {
  if (result.kind !== 'failed' || job.stop.requested || !isNotPickedUp(result.error)) return undefined;
  const { cwd, host } = job.input;
  const assigned = await assignHost({ ...job.ref, ...(cwd !== undefined && { cwd }) });
  if (assigned.kind === 'none') return assigned.reason;
  return assigned.host === host ? 'try-again' : `its session moved to host ${assigned.host}`;
}

function endOf(settlement: Settlement | undefined, { stop }: JobState, gone: string | undefined): JobEnd {
  switch (settlement?.state) {
    case 'done':
      return jobEnd(settlement.outcome);
    case 'not-started':
      if (stop.requested) return { state: 'killed', detail: 'killed before exit' };
      return { state: 'failed', detail: gone === undefined ? 'not started' : `not started: ${gone}` };
    default:
      return JOB_LOST;
  }
}
