import { Inject, Injectable } from '@nestjs/common';
import { isJobOver } from '@everturn/core/domain';
import {
  listJobs,
  listPages,
  markStopping,
  readJob,
  type Database,
  type Job,
  type JobKey,
} from '@everturn/core/postgres';
import { jobWorkflowId, type KillJob } from '@everturn/core/protocol';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE, TEMPORAL } from '../platform/tokens.ts';
import { jobView, type JobView, type OutputPages } from './job-shapes.ts';

const SIGNAL_TIMEOUT_MS = 5_000;

/** Shows background jobs and ends them. */
@Injectable()
export class JobsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(TEMPORAL) private readonly client: Client,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  async list(key: SessionKey): Promise<{ jobs: JobView[] }> {
    await this.access.find(key);
    return { jobs: (await listJobs(this.database, key)).map(jobView) };
  }

  async find(key: JobKey): Promise<JobView> {
    return jobView(await this.#find(key));
  }

  async output(key: JobKey, { after, limit }: { after: number; limit: number }): Promise<OutputPages> {
    await this.#find(key);
    const pages = await listPages(this.database, { ...key, after, limit });
    const last = pages.length === limit ? pages.at(-1) : undefined;
    return { pages: pages.map(({ at, ...page }) => ({ ...page, at: at.toISOString() })), next: last?.page ?? null };
  }

  /** Its workflow is told first, so that a job that is said to be stopping does stop. */
  async kill(key: JobKey): Promise<JobView> {
    const job = await this.#find(key);
    if (isJobOver(job.state)) return jobView(job);
    if ((await this.#signal(key)) === 'gone') return jobView(await this.#find(key));
    const stopping = (await markStopping(this.database, key)) ?? job;
    this.announcer.announce(key);
    return jobView(stopping);
  }

  async #find(key: JobKey): Promise<Job> {
    await this.access.find(key);
    const job = await readJob(this.database, key);
    if (!job)
      throw new ApiError({ code: 'JOB_NOT_FOUND', message: `session "${key.session}" has no job "${key.job}"` });
    return job;
  }

  async #signal({ session, job }: JobKey): Promise<'told' | 'gone'> {
    const handle = this.client.workflow.getHandle(jobWorkflowId(session, job));
    const kill = () => handle.signal<[KillJob]>('kill', { reason: 'killed by a client' });
    try {
      await this.client.connection.withDeadline(Date.now() + SIGNAL_TIMEOUT_MS, kill);
      return 'told';
    } catch (cause) {
      if (cause instanceof WorkflowNotFoundError) return 'gone';
      throw new ApiError({ code: 'TEMPORAL_UNAVAILABLE', message: 'Temporal does not answer; try again', cause });
    }
  }
}
