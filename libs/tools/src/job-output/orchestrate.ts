import { text } from '@everturn/core/domain';
import { orchestrateTool, requireJobId, requireJobs, type WorkflowSettings } from '../kit/index.ts';
import { jobOutput } from './schema.ts';

/** Waits if asked to, then reads. */
export const orchestrateJobOutput = orchestrateTool(jobOutput, async (args, { jobs, settings }) => {
  const id = requireJobId(args.job_id);
  const waitMs = waitOf(args, settings);
  const read = await requireJobs(jobs).read(id, waitMs);
  switch (read.kind) {
    case 'read':
      return { events: [], output: { content: [text(read.text)] } };
    case 'unknown':
      throw new Error(`unknown job ${id}`);
    case 'aborted':
      throw new Error('wait aborted');
  }
});

function waitOf(
  { wait, timeout_ms: wanted }: { wait?: boolean | undefined; timeout_ms?: number | undefined },
  { jobs }: WorkflowSettings,
): number | undefined {
  if (wanted !== undefined && !(wanted > 0))
    throw new Error(`invalid timeout_ms: expected a positive number, got ${JSON.stringify(wanted)}`);
  return wait ? Math.min(wanted ?? jobs.waitMs, jobs.maxWaitMs) : undefined;
}
