import {
  canonicalJson,
  JOB_NOTICE_SOURCE,
  jobNotice,
  jobStatusText,
  text,
  type JobId,
  type MessageEntry,
  type RequestId,
} from '@everturn/core/domain';
import { takeNotice, type Job } from '@everturn/core/postgres';
import type { TakeNoticesInput, TakeNoticesResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** Takes the right to tell a session of its jobs' ends, each once and in order. */
export async function takeNotices(
  { database, settings }: ActivityDeps,
  { jobs, tenant, session }: TakeNoticesInput,
): Promise<TakeNoticesResult> {
  const { completionDelivery, maxConsecutiveWakes, outputLimitBytes } = settings.jobs;
  const notices: TakeNoticesResult['notices'] = [];
  for (const job of jobs) {
    const entry = await takeNotice(database, {
      tenant,
      session,
      job,
      notice: (ended) => noticeOf(ended, outputLimitBytes),
    });
    if (entry !== undefined) notices.push({ entry: JSON.parse(entry) as MessageEntry });
  }
  return { notices, delivery: completionDelivery, maxWakes: maxConsecutiveWakes };
}

function noticeOf(job: Job, limitBytes: number): { id: string; entry: string } {
  const id = noticeId(job.id);
  const summary = `${job.id} ${jobStatusText(job)}`;
  const entry: MessageEntry = {
    requestId: id,
    kind: 'injection',
    content: [text(jobNotice(job, limitBytes))],
    source: { ...JOB_NOTICE_SOURCE, summary },
    preview: summary,
  };
  return { id, entry: canonicalJson(entry) };
}

const noticeId = (job: JobId): RequestId => `job.${job}.ended` as RequestId;
