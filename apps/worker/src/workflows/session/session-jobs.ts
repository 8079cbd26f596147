import { condition, defineSignal, getExternalWorkflowHandle, patched, setHandler } from '@temporalio/workflow';
import { deliverNotice, type JobId, type MessageEntry } from '@everturn/core/domain';
import { jobWorkflowId, type JobSettled, type KillJob } from '@everturn/core/protocol';
import { CANCEL_GRACE_MS, jobClaim, type TakeNoticesResult } from '../../contract/index.ts';
import { finishJob, settle, stopAllJobs, takeNotices } from '../proxies.ts';
import { OWNER_DISPOSED } from '../job/say-why.ts';
import { endChildren } from './session-children.ts';
import { publishLive } from './publish-live.ts';
import { discard, showQueue } from './session-queue.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** A job that was told to end has this long, its own grace included, before its session closes without it. */
const ENDING_MS = CANCEL_GRACE_MS + 10_000;

/** Hears of the ends of jobs. */
export function listenToJobs(session: SessionState): void {
  setHandler(defineSignal<[JobSettled]>('jobSettled'), ({ job }) => {
    session.signals += 1;
    if (!session.endedJobs.includes(job)) session.endedJobs.push(job);
  });
}

/** Tells the model of ends of jobs as they come, while turns run and between them. */
export async function deliverNotices(session: SessionState): Promise<void> {
  for (;;) {
    await condition(() => session.closing || (session.opened && session.endedJobs.length > 0));
    if (session.closing) return;
    const jobs = [...session.endedJobs];
    session.notices = 'on-the-way';
    let taken: TakeNoticesResult;
    try {
      taken = await takeNotices({ ...sessionRef(session), jobs });
    } finally {
      session.notices = 'none';
    }
    const { notices, ...policy } = taken;
    session.endedJobs.splice(0, jobs.length);
    const entries = notices.map(({ entry }) => entry);
    if (session.closing) return discard(session, entries);
    for (const entry of entries) deliver(session, entry, policy);
  }
}

function deliver(
  session: SessionState,
  entry: MessageEntry,
  { delivery, maxWakes }: { delivery: 'wakeup' | 'quiet'; maxWakes: number },
): void {
  switch (deliverNotice({ delivery, owner: ownerOf(session), wakes: session.wakes, maxWakes })) {
    case 'inject':
      session.injected.push(entry);
      session.running?.send('inject', entry);
      return;
    case 'wake': {
      session.wakes += 1;
      const { queued, steering } = session.queue;
      session.queue = { queued: [...queued, { ...entry, kind: 'prompt' }], steering };
      const { requestId, preview, source } = entry;
      publishLive(session, { kind: 'agent/queued', requestId, preview, source, steering: false });
      showQueue(session);
    }
  }
}

/** A turn that is about to run will read what is added now, too. */
function ownerOf({ running, queue, injected, parked }: SessionState): 'busy' | 'idle' | 'parked' {
  if (running) return 'busy';
  if (parked) return 'parked';
  return queue.queued.length + injected.length > 0 ? 'busy' : 'idle';
}

/** A person wrote: ends of jobs may begin turns again. */
export function heardFromPerson(session: SessionState, entries: readonly Pick<MessageEntry, 'source'>[]): void {
  if (entries.some(({ source }) => source.kind === 'user')) session.wakes = 0;
}

/** Ends the agents that stay with a closing session and what it runs in the background; nobody is told. */
export async function endJobs(session: SessionState): Promise<void> {
  if (!patched('end-jobs')) return;
  await condition(() => session.notices === 'none');
  const ref = sessionRef(session);
  // One that closed before may have been brought back; one that closes from here on is among those it waits for, or gone.
  if (session.closedChildren.length > 0 && patched('closed-anew')) session.closedChildren = [];
  const { jobs, children = [] } = await stopAllJobs(ref);
  await endChildren(session, children);
  if (jobs.length === 0) return;
  const gone = new Set<JobId>();
  await Promise.all(jobs.map(async (job) => (await kill(session, job)) === 'gone' && gone.add(job)));
  const running = () => jobs.filter((job) => !gone.has(job) && !session.endedJobs.includes(job));
  await condition(() => running().length === 0, ENDING_MS);
  const left = [...gone, ...running()];
  if (left.length === 0) return;
  await settle({ ...ref, claims: left.map(jobClaim), live: 'take-over' });
  const end = { state: 'failed' as const, detail: 'its end was not seen when its session closed' };
  await Promise.all(left.map((job) => finishJob({ ...ref, job, end })));
}

/** `gone`: it has just ended, or never began. */
async function kill({ input }: SessionState, job: JobId): Promise<'told' | 'gone'> {
  return getExternalWorkflowHandle(jobWorkflowId(input.session, job))
    .signal<[KillJob]>('kill', { reason: OWNER_DISPOSED })
    .then(
      () => 'told',
      () => 'gone',
    );
}
