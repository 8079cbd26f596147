import { sql } from 'kysely';
import type { RequestId, SandboxMode, SessionId } from '@everturn/core/domain';
import {
  childrenAtWork,
  hasTeam,
  readHead,
  readSession,
  releaseGoneHost,
  untoldJobs,
  unwrittenPrompts,
} from '@everturn/core/postgres';
import type { SessionRow } from '@everturn/core/postgres';
import { NO_USAGE, type StepIsolation, type UsageTotals } from '@everturn/core/protocol';
import type { OpenLogInput, OpenLogResult } from '../contract/index.ts';
import { breakReset } from './break-reset.ts';
import { asProjectionError } from './errors.ts';
import { foundRows } from './found-rows.ts';
import type { Projection } from './projection.ts';
import { plantSeed } from './plant-seed.ts';
import { raiseGeneration } from './raise-generation.ts';
import type { FoundLog } from './raise-generation.ts';
import { parentOf } from './session-kin.ts';
import { sessionKnobs } from './session-knobs.ts';
import { sessionPermissions } from './session-permissions.ts';
import { sessionGoal } from './session-goal.ts';
import { sessionReminders } from './session-reminders.ts';
import { repairTail } from './repair-tail.ts';

/** How many requests a session remembers, so that one sent twice is taken once. */
const REMEMBERED_REQUESTS = 200;

type Opened = Extract<OpenLogResult, { kind: 'opened' }>;
type Refused = Extract<OpenLogResult, { kind: 'refused' }>;
export type OpenLogAnswer = Omit<Opened, 'searchAttributes'> | Refused;

/** Stops a transaction that must not raise the generation. */
class Refusal extends Error {}

/**
 * Begins a life of a session: makes its log, or takes over the one a dead run left and closes its tail. Refuses a
 * closed or broken one unless the intent is to resume. A repeated attempt of the same run answers the same.
 */
export async function openLog(
  projection: Projection,
  input: OpenLogInput,
  { isolation = 'child', permissionMode }: { isolation?: StepIsolation; permissionMode?: SandboxMode } = {},
): Promise<OpenLogAnswer> {
  const { tenant, session, intent, runId } = input;
  if (input.reset) return breakReset(projection, input);
  let generation: number | undefined;
  // A session closes after its agents; any that work now do so for themselves.
  let wasClosed = false;
  try {
    generation = await raiseGeneration(projection, {
      tenant,
      session,
      raisedBy: runId,
      judge(found) {
        wasClosed = found.closed || found.status === 'closed';
        return intent === 'resume' ? 'raise' : refuseEnded(session, found);
      },
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Refusal) return { kind: 'refused', code: 'SESSION_CLOSED', message: cause.message };
    throw error;
  }
  if (generation === undefined)
    return { kind: 'refused', code: 'SESSION_NOT_FOUND', message: `there is no session ${session}` };
  const ref = { tenant, session, generation };
  await plantSeed(projection, ref);
  await repairTail(projection, ref);
  if (intent === 'resume') await asProjectionError(() => releaseGoneHost(projection.database, ref));
  await showOpened(projection, input);
  const [permissions, knobs, reminders, goal, team, endedJobs, children] = await asProjectionError(() =>
    Promise.all([
      permissionMode && sessionPermissions(projection, ref, permissionMode),
      sessionKnobs(projection.database, ref),
      sessionReminders(projection, ref),
      sessionGoal(projection, ref),
      hasTeam(projection.database, ref),
      untoldJobs(projection.database, ref),
      generation > 1 && !wasClosed ? childrenAtWork(projection.database, ref) : [],
    ]),
  );
  return {
    ...(await describe(projection, ref, { isolation, owned: input.owned === true })),
    ...(permissions && { permissions }),
    ...(knobs && { knobs }),
    ...(reminders && { reminders }),
    ...(goal && { goal }),
    ...(team && { team }),
    ...(endedJobs.length > 0 && { endedJobs }),
    ...(children.length > 0 && { children }),
  };
}

function refuseEnded(session: SessionId, { status, closed }: FoundLog): 'raise' | Error {
  if (closed || status === 'closed') return new Refusal(`session ${session} is closed; resume it to reopen it`);
  if (status === 'broken') return new Refusal(`session ${session} is broken; resume it to mend it`);
  return 'raise';
}

async function showOpened({ database, notifier }: Projection, { tenant, session }: OpenLogInput): Promise<void> {
  await asProjectionError(() =>
    database
      .updateTable('sessions')
      .set({ status: 'idle', open_turn: null, updated_at: sql<Date>`clock_timestamp()` })
      .where('tenant', '=', tenant)
      .where('id', '=', session)
      .execute(),
  );
  notifier.notify([{ tenant, session }]);
}

async function describe(
  projection: Projection,
  ref: OpenLogRef,
  { isolation, owned }: { isolation: StepIsolation; owned: boolean },
): Promise<Omit<Opened, 'searchAttributes'>> {
  const { database } = projection;
  const [head, row, prompts, requests, hadHeader, found] = await asProjectionError(() =>
    Promise.all([
      readHead(database, ref),
      readSession(database, ref) as Promise<SessionRow>,
      unwrittenPrompts(database, ref),
      rememberedRequests(projection, ref),
      hasHeader(projection, ref),
      foundRows(projection, ref),
    ]),
  );
  const later = prompts.filter(({ cancels }) => cancels.length > 0);
  const parent = owned ? undefined : await asProjectionError(() => parentOf(projection, row));
  return {
    kind: 'opened',
    generation: ref.generation,
    highestAcknowledged: (head?.nextSeq ?? 0) - 1,
    lastTurn: head?.lastTurn ?? 0,
    instance: { logHadHeader: hadHeader, startSource: ref.generation === 1 ? 'startup' : 'resume', started: false },
    usage: { ...NO_USAGE, ...(row.usage as Partial<UsageTotals>) },
    isolation: (row.options['stepIsolation'] as StepIsolation | undefined) ?? isolation,
    unclaimed: prompts.map(({ entry }) => entry),
    ...(later.length > 0 && {
      cancelsBefore: Object.fromEntries(later.map(({ promptId, cancels }) => [promptId, cancels])),
    }),
    recentRequests: requests,
    title: row.title,
    ...(parent && { parent }),
    found,
  };
}

type OpenLogRef = Pick<OpenLogInput, 'tenant' | 'session'> & { generation: number };

async function hasHeader({ database }: Projection, { tenant, session }: OpenLogRef): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from session_events where tenant = ${tenant} and session_id = ${session} and type = 'request/header'
    ) as found`.execute(database);
  return rows[0]?.found === true;
}

/**
 * Requests the session has dealt with, oldest first: their outcomes, and messages that turns have taken. What was refused
 * may be sent again.
 */
async function rememberedRequests({ database }: Projection, { tenant, session }: OpenLogRef): Promise<RequestId[]> {
  const { rows } = await sql<{ id: RequestId }>`
    select id from (
      select request_id as id, settled_at as at from requests
      where tenant = ${tenant} and session_id = ${session} and outcome = 'accepted'
      union all
      select prompt_id, updated_at from prompts
      where tenant = ${tenant} and session_id = ${session} and state not in ('accepted', 'queued') and not exists (
        select from requests r
        where r.session_id = prompts.session_id and r.request_id = prompts.prompt_id and r.outcome = 'refused')
    ) as known
    group by id
    order by max(at) desc
    limit ${REMEMBERED_REQUESTS}`.execute(database);
  return rows.map(({ id }) => id).toReversed();
}
