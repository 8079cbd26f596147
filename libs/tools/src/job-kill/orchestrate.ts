import { isJobOver, jobStatusText, text } from '@everturn/core/domain';
import { orchestrateTool, requireJobId, requireJobs } from '../kit/index.ts';
import { jobKill } from './schema.ts';

/** Asks, and says whether there was anything to end. */
export const orchestrateJobKill = orchestrateTool(jobKill, async (args, { jobs }) => {
  const id = requireJobId(args.job_id);
  const job = await requireJobs(jobs).kill(id, args.reason);
  if (!job) throw new Error(`unknown job ${id}`);
  const answer = isJobOver(job.state)
    ? `job ${id} had already finished ${jobStatusText(job)}`
    : `requested cancellation of job ${id}`;
  return { events: [], output: { content: [text(answer)] } };
});
