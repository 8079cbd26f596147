import {
  characterCut,
  childErrorText,
  childHeadline,
  childStop,
  type ChildStop,
  type JsonValue,
} from '@everturn/core/domain';
import { admitJob, appendPages, discardStartingSession, listPages } from '@everturn/core/postgres';
import type { JobEnd } from '@everturn/tools/kit';
import {
  JOB_LOST,
  jobClaim,
  jobEnd,
  placedClaim,
  recorded,
  type EndAgentJobInput,
  type PrepareAgentJobInput,
  type PrepareAgentJobResult,
  type RunJobResult,
} from '../../contract/index.ts';
import type { HeldClaim } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { fullMessage } from '../jobs/admit-job.ts';
import { diagnosticOf } from './diagnostic-of.ts';
import { prepareChild } from './prepare-child.ts';
import { readEnd } from './read-end.ts';

const KIND = 'subagent';
const KILLED = 'background subagent task killed';
const LONGEST_LABEL_BYTES = 1_000;

/** Prepares a child and gives the call its job; without room for a job there is no child either. */
export async function prepareAgentJob(deps: ActivityDeps, input: PrepareAgentJobInput): Promise<PrepareAgentJobResult> {
  const { tenant, session, child, turn, step } = input;
  const prepared = await prepareChild(deps, input);
  if (prepared.kind === 'refused') return prepared;
  const label = characterCut(input.label, LONGEST_LABEL_BYTES);
  const limit = deps.settings.jobs.maxActive;
  const asked = { tenant, session, kind: KIND, label, call: placedClaim(input), turn, step, limit };
  const admitted = await admitJob(deps.database, asked);
  if (admitted.kind === 'admitted' || admitted.kind === 'known') {
    deps.projection.notifier.notify([input]);
    return { ...prepared, job: { id: admitted.id, kind: KIND, label } };
  }
  await discardStartingSession(deps.database, { tenant, session: child });
  return { kind: 'refused', message: fullMessage(deps.settings) };
}

/** What an agent said is the output of its job, written once; how it ended is the job's end. */
export async function endAgentJob(
  deps: ActivityDeps,
  input: EndAgentJobInput,
): Promise<RunJobResult & { stop: ChildStop }> {
  const { tenant, session, generation, turn, step, job, call } = input;
  const { outcome } = await deps.effects.run<JsonValue>({
    tenant,
    session,
    generation,
    turn,
    step,
    claim: jobClaim(job.id),
    label: call.name,
    perform: async ({ held }) => ({ kind: 'settled', outcome: recorded(await writeEnd(deps, input, held)) }),
    afterLapse: 'run-again',
    closed: (settled) => recorded(settled === 'unknown' ? JOB_LOST : { state: 'failed', detail: 'not started' }),
  });
  const end = jobEnd(outcome);
  return { end, stop: stopOf(end) };
}

async function writeEnd(deps: ActivityDeps, input: EndAgentJobInput, { epoch }: HeldClaim): Promise<JobEnd> {
  const { tenant, session, child, cancelled, failure } = input;
  const { reason, words } = await readEnd(deps.database, { tenant, child });
  const stop = childStop(reason, { mode: 'one-shot', cancelled });
  const diagnostic = diagnosticOf(reason, stop === 'error' ? failure : undefined);
  const said = stop === 'completed' ? words : childErrorText({ stop, diagnostic, output: words });
  const key = { tenant, session, job: input.job.id };
  const [written] = await listPages(deps.database, { ...key, after: 0, limit: 1 });
  if (!written && said !== '')
    await appendPages(deps.database, {
      ...key,
      epoch,
      owner: deps.projection.owner,
      pages: [{ stream: 'stdout', text: said, dropped: false }],
      keepBytes: deps.settings.jobs.keptOutputBytes,
    });
  return endOf(stop);
}

/** How an agent ended, of what its job's end says. */
function stopOf({ state, detail }: JobEnd): ChildStop {
  if (state === 'completed') return 'completed';
  if (state === 'killed') return 'aborted';
  return (['max-tokens', 'refusal'] as const).find((stop) => childHeadline(stop) === detail) ?? 'error';
}

function endOf(stop: ChildStop): JobEnd {
  if (stop === 'completed') return { state: 'completed' };
  if (stop === 'aborted') return { state: 'killed', detail: KILLED };
  return { state: 'failed', detail: childHeadline(stop) };
}
