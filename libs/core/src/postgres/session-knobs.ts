import { sql } from 'kysely';
import {
  openPlan,
  PLAN_REVIEW,
  type ModelChoice,
  type SessionId,
  type StepKnobs,
  type TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';

interface KnobsKey {
  tenant: TenantId;
  session: SessionId;
}

/** What a session's log says of what changes only between two steps; `planMode` is how it was created. */
export async function readKnobs(
  database: Database,
  key: KnobsKey,
  { planMode }: { planMode: boolean },
): Promise<StepKnobs | undefined> {
  const rows = await database
    .selectFrom('session_events')
    .distinctOn('type')
    .select(['type', 'data', 'seq'])
    .where('tenant', '=', key.tenant)
    .where('session_id', '=', key.session)
    .where('type', 'in', ['plan/mode', 'model/choice'])
    .orderBy('type')
    .orderBy('seq', 'desc')
    .execute();
  const plan = await readPlan(
    database,
    key,
    rows.find(({ type }) => type === 'plan/mode'),
    planMode,
  );
  const model = rows.find(({ type }) => type === 'model/choice');
  // Validated when it was written.
  const now = model && (JSON.parse(model.data) as ModelChoice);
  if (!plan && !now) return undefined;
  return { ...(plan && { plan }), ...(now && { model: { now } }) };
}

async function readPlan(
  database: Database,
  key: KnobsKey,
  last: { data: string; seq: unknown } | undefined,
  atCreation: boolean,
): Promise<StepKnobs['plan']> {
  if (!last) return openPlan({ atCreation });
  const recorded = (JSON.parse(last.data) as { active: boolean }).active;
  const [told, approved] = await Promise.all([
    planAtLastRequest(database, key),
    recorded && isApprovedSince(database, key, last.seq),
  ]);
  return openPlan({ atCreation, recorded, approved, ...(told !== undefined && { told }) });
}

/** Whether the last request was made in plan mode; nothing where there was none. */
async function planAtLastRequest(database: Database, { tenant, session }: KnobsKey): Promise<boolean | undefined> {
  const { rows } = await sql<{ data: string | null }>`
    select (
      select data from session_events
      where tenant = ${tenant} and session_id = ${session} and type = 'plan/mode' and seq < request.seq
      order by seq desc limit 1
    ) as data
    from (
      select seq from session_events
      where tenant = ${tenant} and session_id = ${session} and type = 'request/header'
      order by seq desc limit 1
    ) as request`.execute(database);
  const [request] = rows;
  if (!request) return undefined;
  return request.data !== null && (JSON.parse(request.data) as { active: boolean }).active;
}

/** Whether a plan was approved after an event, by a call whose turn ended before anything came of it. */
async function isApprovedSince(database: Database, { tenant, session }: KnobsKey, since: unknown): Promise<boolean> {
  // Within a JSON text a quote is escaped, so this finds members only; which one it is, is looked at below.
  const mark = `%"review":${JSON.stringify(PLAN_REVIEW.id)}%`;
  const name = '%"name":"exit_plan_mode"%';
  const { rows } = await sql<{ call: string | null; result: string }>`
    select call.data as call, result.data as result
    from session_events as result
    join session_events as call on call.tenant = result.tenant and call.session_id = result.session_id
      and call.type = 'tool/call' and call.seq < result.seq and call.seq > ${since}
    where result.tenant = ${tenant} and result.session_id = ${session} and result.type = 'tool/result'
      and result.seq > ${since} and result.data like ${mark} and call.data like ${name}
    union all
    select null, data from session_events
    where tenant = ${tenant} and session_id = ${session} and type = 'tool/ptc-dispatch' and seq > ${since}
      and data like ${name}`.execute(database);
  return rows.some(({ call, result }) => {
    if (call === null) return isApprovedInProgram(result);
    const given = JSON.parse(result) as { callId: string; isError: boolean; meta?: { review?: unknown } };
    return (
      !given.isError &&
      given.meta?.review === PLAN_REVIEW.id &&
      given.callId === (JSON.parse(call) as { callId: string }).callId
    );
  });
}

/** The tool has no other success than a person's yes, so what a program got of it needs no mark. */
function isApprovedInProgram(dispatch: string): boolean {
  const { name, isError } = JSON.parse(dispatch) as { name: string; isError: boolean };
  return name === 'exit_plan_mode' && !isError;
}
