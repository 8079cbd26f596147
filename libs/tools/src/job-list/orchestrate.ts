import { text } from '@everturn/core/domain';
import { orchestrateTool, requireJobs } from '../kit/index.ts';
import { jobList } from './schema.ts';

/** One line a job. */
export const orchestrateJobList = orchestrateTool(jobList, async (_args, { jobs }) => {
  const found = await requireJobs(jobs).list();
  const lines = found.map(({ id, kind, state, label }) => `${id} [${kind}] ${state} — ${label}`);
  return { events: [], output: { content: [text(lines.join('\n') || '(no background jobs)')] } };
});
