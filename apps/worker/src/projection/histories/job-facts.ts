import type { JobId, JobSummary } from '@everturn/core/domain';
import { placedClaim } from '../../contract/index.ts';
import type { AdmittedJob, ClaimKey, FoundJob, JobNotice } from '../../contract/index.ts';

/** A background job as histories know it; what it wrote is in none. */
export interface JobFact {
  job: AdmittedJob;
  call: ClaimKey;
  turn: number;
  step: number;
  /** Epoch ms. */
  startedAt: number;
  stopping?: true;
  end?: Pick<JobSummary, 'state' | 'detail'> & { at: number };
  /** Its owner was told, or ended it; a reader who came before the end knows nothing of it. */
  told?: true;
  readAt?: number;
}

interface Input {
  turn?: number;
  step?: number;
  call?: { index: number };
  parent?: { index: number };
  /** A job to begin, or the name of one. */
  job?: AdmittedJob | JobId;
}
interface Result {
  outcome?: { job?: AdmittedJob };
  kind?: string;
  job?: JobSummary;
  jobs?: JobId[];
  notices?: JobNotice[];
}

/** What activities say about jobs, in whatever order their histories are read. */
export class JobFacts {
  readonly #jobs = new Map<string, Partial<JobFact>>();

  /** Jobs of which enough is known to tell what they are. */
  *known(): Generator<JobFact> {
    for (const fact of this.#jobs.values()) if (fact.job && fact.call) yield fact as JobFact;
  }

  takeInput(activity: string, input: Input, at: number): void {
    if ((activity === 'runJob' || activity === 'endAgentJob') && typeof input.job === 'object') this.#begin(input, input.job, at);
  }

  takeResult(activity: string, input: Input, result: Result, at: number): void {
    const named = typeof input.job === 'string' ? this.#fact(input.job) : undefined;
    switch (activity) {
      case 'runTool':
        if (result.outcome?.job) this.#begin(input, result.outcome.job, at);
        break;
      case 'prepareAgentJob':
        if (typeof result.job === 'object' && result.kind === 'prepared') this.#begin(input, result.job as AdmittedJob, at);
        break;
      case 'stopJob':
        if (named && (result as FoundJob).kind === 'found' && result.job?.state === 'stopping')
          Object.assign(named, { stopping: true, told: true });
        break;
      case 'stopAllJobs':
        for (const job of result.jobs ?? []) Object.assign(this.#fact(job), { stopping: true, told: true });
        break;
      case 'finishJob':
        if (named && result.job) named.end ??= { state: result.job.state, detail: result.job.detail, at } as NonNullable<JobFact['end']>;
        break;
      case 'readJob':
        if (named && result.kind === 'read') named.readAt = Math.max(named.readAt ?? 0, at);
        break;
      case 'takeNotices':
        for (const { entry } of result.notices ?? []) this.#fact(jobOf(entry.requestId)).told = true;
    }
  }

  #begin({ turn = 0, step = 0, call, parent }: Input, job: AdmittedJob, at: number): void {
    if (!call) return;
    const fact = this.#fact(job.id);
    const startedAt = Math.min(fact.startedAt ?? at, at);
    Object.assign(fact, { job, turn, step, startedAt, call: placedClaim({ turn, step, call, parent }) });
  }

  #fact(job: string): Partial<JobFact> {
    const fact = this.#jobs.get(job) ?? {};
    this.#jobs.set(job, fact);
    return fact;
  }
}

/** Whose end a notice tells. */
const jobOf = (requestId: string): string => requestId.replace(/^job\.(.*)\.ended$/, '$1');
