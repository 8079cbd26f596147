import { sql } from 'kysely';
import type {
  CallId,
  Goal,
  JobSummary,
  JsonObject,
  JsonValue,
  RequestId,
  SessionId,
  TenantId,
} from '../domain/index.ts';
import type { Database } from './database.ts';
import type { PromptMode } from './prompts.ts';
import type { SessionRowStatus } from './sessions.ts';

/** A message that waits, as readers see it. */
export interface QueuedPrompt {
  promptId: RequestId;
  mode: PromptMode;
  preview: string;
}

/** A question that waits for a person. */
export interface OpenInteraction {
  id: string;
  kind: 'approval' | 'question';
  turn: number;
  step: number;
  callId?: CallId;
  request: JsonValue;
}

/** The rows beside a session's log as one value, for readers who follow it. */
export interface SessionView {
  status: SessionRowStatus;
  openTurn?: number;
  title: string;
  model?: string;
  /** Whether it plans, as the log said last. */
  plan?: { active: boolean };
  /** Its goal as it was changed last, without the rounds since; null = cleared. */
  goal?: Goal | null;
  usage: JsonObject;
  /** The messages next to run, at most {@link SHOWN_PROMPTS}. */
  queue: QueuedPrompt[];
  interactions: OpenInteraction[];
  /** Those that run and the newest that ended, in order of their start. */
  jobs: JobSummary[];
  /** The newest few requests to stop, oldest first. */
  cancels: { requestId: RequestId; kind: 'cancel' | 'interrupt' }[];
}

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** How many queued messages a view names. */
export const SHOWN_PROMPTS = 100;
const SHOWN_CANCELS = 5;
const SHOWN_JOBS = 50;

interface ViewRow {
  status: SessionRowStatus;
  open_turn: number | null;
  title: string;
  model: string | null;
  plan: string | null;
  goal: string | null;
  usage: JsonObject;
  queue: QueuedPrompt[];
  interactions: (Omit<OpenInteraction, 'callId' | 'request'> & { callId: string | null; request: string })[];
  jobs: (JobSummary & { detail: string | null })[];
  cancels: SessionView['cancels'];
}

/** Reads a view, in one round trip and of one moment; `undefined` when the tenant has no such session. */
export async function readSessionView(
  database: Database,
  { tenant, session }: SessionKey,
): Promise<SessionView | undefined> {
  const mine = sql`tenant = ${tenant} and session_id = ${session}`;
  const { rows } = await sql<ViewRow>`
    select status, open_turn, title, model, usage,
      (select data from session_events where ${mine} and type = 'plan/mode' order by seq desc limit 1) as plan,
      (select data from session_events where ${mine} and type = 'goal/change' order by seq desc limit 1) as goal,
      (select coalesce(json_agg(json_build_object('promptId', prompt_id, 'mode', mode, 'preview', preview)), '[]') from (
        select prompt_id, mode, storable_json(entry)->>'preview' as preview from prompts
        where ${mine} and state in ('accepted', 'queued') order by position limit ${SHOWN_PROMPTS}) as waiting) as queue,
      (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'turn', turn, 'step', step,
        'callId', call_id, 'request', request) order by created_at, id), '[]')
        from interactions where ${mine} and state = 'open') as interactions,
      (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'label', label, 'state', state, 'detail', detail)
          order by started_at, kind, number), '[]') from (
        select id, kind, number, label, state, detail, started_at from jobs
        where ${mine} order by state in ('running', 'stopping') desc, started_at desc limit ${SHOWN_JOBS}) as shown) as jobs,
      (select coalesce(json_agg(json_build_object('requestId', request_id, 'kind', kind) order by created_at), '[]') from (
        select request_id, kind, created_at from sent_requests
        where ${mine} and kind in ('cancel', 'interrupt') order by created_at desc limit ${SHOWN_CANCELS}) as stops) as cancels
    from sessions where tenant = ${tenant} and id = ${session}
  `.execute(database);
  return rows[0] && toView(rows[0]);
}

function toView(row: ViewRow): SessionView {
  return {
    status: row.status,
    ...(row.open_turn !== null && { openTurn: row.open_turn }),
    title: row.title,
    ...(row.model !== null && { model: row.model }),
    ...(row.plan !== null && { plan: JSON.parse(row.plan) as { active: boolean } }),
    ...(row.goal !== null && { goal: (JSON.parse(row.goal) as { goal?: Goal }).goal ?? null }),
    usage: row.usage,
    queue: row.queue,
    interactions: row.interactions.map(({ callId, request, ...rest }) => ({
      ...rest,
      ...(callId !== null && { callId: JSON.parse(callId) as CallId }),
      request: JSON.parse(request) as JsonValue,
    })),
    jobs: row.jobs.map(({ detail, ...job }) => ({ ...job, ...(detail !== null && { detail }) })),
    cancels: row.cancels,
  };
}

/** A value per session that changes whenever its log or its row does; unknown and foreign ones are left out. */
export async function readMarks(database: Database, keys: readonly SessionKey[]): Promise<Map<SessionId, string>> {
  const tenants = keys.map(({ tenant }) => tenant);
  const sessions = keys.map(({ session }) => session);
  const { rows } = await sql<{ id: SessionId; mark: string }>`
    select sessions.id, concat(log_heads.next_seq, '/', extract(epoch from sessions.updated_at)) as mark
    from unnest(${tenants}::text[], ${sessions}::text[]) as wanted (tenant, id)
    join sessions on sessions.tenant = wanted.tenant and sessions.id = wanted.id
    left join log_heads on log_heads.session_id = sessions.id
  `.execute(database);
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}
