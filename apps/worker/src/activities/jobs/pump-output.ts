import { appendPages, type JobStream } from '@everturn/core/postgres';
import type { JobId } from '@everturn/core/domain';
import type { JobOutput, RunningJob } from '@everturn/tools/kit';
import { asProjectionError, ProjectionError, type HeldClaim } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { pauseFor, untilItWorks } from '../effects/retry.ts';
import { EffectStopped, stopReason } from '../effects/running-effect.ts';

/** Output is stored this often at most; what a fast writer adds in between beyond a page is in its file only. */
const PAUSE_MS = 500;

export interface PumpInput {
  running: RunningJob;
  signal: AbortSignal;
}

/** Stores what a job writes until it has ended and all of it is stored. */
export async function pumpOutput(
  deps: ActivityDeps,
  held: HeldClaim & { job: JobId },
  { running, signal }: PumpInput,
): Promise<void> {
  const over = new AbortController();
  void running.outcome.then(() => over.abort());
  for (;;) {
    const last = over.signal.aborted; // asked before reading: what comes until then is read
    await store(deps, held, { output: running.read(), signal });
    if (last) return;
    await pauseFor(PAUSE_MS, over.signal);
  }
}

async function store(
  { database, projection, settings }: ActivityDeps,
  { tenant, session, epoch, job }: HeldClaim & { job: JobId },
  { output, signal }: { output: JobOutput; signal: AbortSignal },
): Promise<void> {
  const pages = pagesOf(output);
  if (pages.length === 0 && !output.dropped) return;
  const { files } = output.dropped ?? {};
  const input = { tenant, session, job, epoch, owner: projection.owner, pages, ...(files && { files }) };
  try {
    await untilItWorks({
      attempt: () =>
        asProjectionError(() => appendPages(database, { ...input, keepBytes: settings.jobs.keptOutputBytes })),
      giveUp: () => stopReason(signal) === 'lost',
    });
  } catch (error) {
    if (error instanceof ProjectionError && error.code === 'CLAIM_LOST') throw new EffectStopped('lost');
    throw error;
  }
}

function pagesOf({ text, stderr = '', notice = '', dropped }: JobOutput) {
  const all: [JobStream, string][] = [
    ['stdout', text],
    ['stderr', stderr],
    ['notice', notice],
  ];
  const pages = all
    .filter(([, piece]) => piece !== '')
    .map(([stream, piece]) => ({ stream, text: piece, dropped: false }));
  if (!dropped) return pages;
  const [first = { stream: 'notice' as const, text: '', dropped: false }, ...rest] = pages;
  return [{ ...first, dropped: true }, ...rest];
}
