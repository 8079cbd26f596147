import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import type { KillJob, WatchJob } from '@everturn/core/protocol';
import type { JobInput, JobRef } from '../../contract/index.ts';
import { killJob, stopJob } from '../proxies.ts';
import { Stop } from '../shared/stop.ts';
import { describeJob } from './job-details.ts';

/** What a job's workflow knows while it runs. */
export interface JobState {
  readonly input: JobInput;
  readonly ref: JobRef;
  readonly stop: Stop;
  /** Workflows that wait for the end, and whether they have been told of it. */
  readonly watchers: Map<string, 'waiting' | 'told'>;
  /** Why it was told to end. */
  reason?: string;
  /** Runs while the host is being told to end it. */
  readonly telling: CancellationScope;
}

/** A job at its beginning. */
export function openJob(input: JobInput): JobState {
  const { session, tenant, generation, job } = input;
  return {
    input,
    ref: { session, tenant, generation, job: job.id },
    stop: new Stop(),
    watchers: new Map(),
    telling: new CancellationScope({ cancellable: true }),
  };
}

/** Kills, and who waits. Handlers never wait. */
export function listenToJob(job: JobState): void {
  setHandler(defineSignal<[KillJob]>('kill'), (kill) => requestKill(job, kill));
  setHandler(defineSignal<[WatchJob]>('watch'), ({ watcher }) => {
    if (!job.watchers.has(watcher)) job.watchers.set(watcher, 'waiting');
  });
  setHandler(defineSignal<[WatchJob]>('unwatch'), ({ watcher }) => void job.watchers.delete(watcher));
}

/** Tells the job to end: its row at once, its host by the control queue, and its activity by its heartbeats. */
export function requestKill(job: JobState, { reason }: KillJob): void {
  if (job.stop.requested) return;
  if (reason !== undefined) job.reason = reason;
  describeJob(job, { state: 'stopping' });
  job.stop.request();
  const { host } = job.input;
  const tell = () => Promise.all([stopJob(job.ref), ...(host === undefined ? [] : [killJob(job.ref, host)])]);
  void job.telling.run(tell).catch(() => undefined); // the heartbeat, or the stop of the agent, tells it as well
}
