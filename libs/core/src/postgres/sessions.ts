import { sql } from 'kysely';
import type { Generated, Kysely, Selectable } from 'kysely';
import {
  AllowedModels,
  canonicalJson,
  PERMISSION_SETTINGS,
  PresetName,
  SUBAGENT_MODEL_SETTINGS,
} from '../domain/index.ts';
import type { JsonObject, SessionHeader, SessionId, TenantId } from '../domain/index.ts';
import { storableJson, storableText } from './columns.ts';
import type { ClockColumn, DerivedColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export type SessionRowStatus = 'starting' | 'idle' | 'running' | 'waiting' | 'broken' | 'closed';

/** What clients list and follow without reading the log. */
export interface SessionTable {
  id: string;
  tenant: string;
  header: string;
  options: string;
  status: SessionRowStatus;
  generation: Generated<number>;
  host_id: string | null;
  host_epoch: number | null;
  queue_length: Generated<number>;
  open_turn: number | null;
  usage: DerivedColumn<JsonObject>;
  model: string | null;
  title: Generated<string>;
  preview: Generated<string>;
  metadata: DerivedColumn<JsonObject>;
  parent_id: string | null;
  /** What the tenant's settings said when it was made. */
  default_preset: Generated<string | null>;
  /** The same of models for its agents, as JSON. */
  subagent_models: Generated<string | null>;
  row_stamps: DerivedColumn<Record<string, number>>;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

/** A session as its row says. `header` and `options` are exact; the others are derived. */
export interface SessionRow {
  id: SessionId;
  tenant: TenantId;
  /** As whoever started the session has validated it. */
  header: SessionHeader;
  options: JsonObject;
  status: SessionRowStatus;
  generation: number;
  host?: { id: string; epoch: number };
  queueLength: number;
  openTurn?: number;
  /** Empty before the first step. */
  usage: JsonObject;
  model?: string;
  title: string;
  preview: string;
  metadata: JsonObject;
  parent?: SessionId;
  /** What holds where neither log nor options say anything of permissions; absent = what the deployment says. */
  defaultPreset?: PresetName;
  createdAt: Date;
  updatedAt: Date;
}

export interface StartSessionInput {
  tenant: TenantId;
  session: SessionId;
  /** Facts that never change, as JSON. */
  header: object;
  /** What the session was asked to be, as JSON. */
  options: object;
  metadata?: object;
  model?: string;
  /** First words of the first prompt. */
  preview?: string;
  parent?: SessionId;
}
/** `exists`: the tenant has it already; `foreign`: another tenant does, which callers answer as "not found". */
export type StartSessionResult = { kind: 'started' } | { kind: 'exists'; session: SessionRow } | { kind: 'foreign' };

/** What everyone who starts a session does first: claims its id, before any workflow is started. */
export async function startSessionRow(executor: Kysely<Tables>, input: StartSessionInput): Promise<StartSessionResult> {
  const { tenant, session, header, options, metadata = {}, model, preview = '', parent } = input;
  const inserted = await executor
    .insertInto('sessions')
    .values({
      id: session,
      tenant,
      header: canonicalJson(header),
      options: canonicalJson(options),
      status: 'starting',
      metadata: storableJson(metadata),
      model: model === undefined ? null : storableText(model),
      preview: storableText(preview),
      parent_id: parent ?? null,
      // Whatever the tenant says later, this session keeps to it.
      default_preset: sql<string | null>`(
        select value::json->>'defaultPreset' from settings
        where tenant = ${tenant} and namespace = ${PERMISSION_SETTINGS}
      )`,
      subagent_models: sql<string | null>`(
        select value::json->>'allowedModels' from settings
        where tenant = ${tenant} and namespace = ${SUBAGENT_MODEL_SETTINGS} and ${parent === undefined}
      )`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return { kind: 'started' };
  const found = await readSession(executor, { tenant, session });
  return found ? { kind: 'exists', session: found } : { kind: 'foreign' };
}

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** One session, or `undefined` when the tenant has no such session. */
export async function readSession(
  executor: Kysely<Tables>,
  { tenant, session }: SessionKey,
): Promise<SessionRow | undefined> {
  const row = await executor
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .executeTakeFirst();
  return row && toSession(row);
}

/** Gives up an id whose workflow could not be started; a session that has begun is left alone. */
export async function discardStartingSession(database: Database, { tenant, session }: SessionKey): Promise<boolean> {
  const result = await database
    .deleteFrom('sessions')
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .where('status', '=', 'starting')
    .where('generation', '=', 0)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  await database.deleteFrom('idempotency').where('tenant', '=', tenant).where('session_id', '=', session).execute();
  return true;
}

export interface StartingSessions {
  /** Who was to start them: a caller of the API, or the agent they were to work for. */
  by: 'caller' | 'agent';
  olderThanMs: number;
  limit: number;
}

/** Sessions of every tenant that were claimed a while ago and whose workflow has not begun, oldest first. */
export async function listStartingSessions(
  database: Database,
  { by, olderThanMs, limit }: StartingSessions,
): Promise<SessionRow[]> {
  const rows = await database
    .selectFrom('sessions')
    .selectAll()
    .where('status', '=', 'starting')
    .where(sql<boolean>`(header::json->>'origin' is null) = ${by === 'caller'}`)
    .where('created_at', '<', sql<Date>`clock_timestamp() - ${olderThanMs} * interval '1 millisecond'`)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(toSession);
}

export interface ChangeSessionInput extends SessionKey {
  title?: string;
  preview?: string;
  metadata?: object;
}

/** Changes what callers may change about a session's row; `false` when the tenant has no such session. */
export async function changeSession(database: Database, input: ChangeSessionInput): Promise<boolean> {
  const { tenant, session, title, preview, metadata } = input;
  const result = await database
    .updateTable('sessions')
    .set({
      ...(title !== undefined && { title: storableText(title) }),
      ...(preview !== undefined && { preview: storableText(preview) }),
      ...(metadata !== undefined && { metadata: storableJson(metadata) }),
      updated_at: sql<Date>`clock_timestamp()`,
    })
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Reads a row of `sessions`. */
export function toSession(row: Selectable<SessionTable>): SessionRow {
  const preset = PresetName.safeParse(row.default_preset);
  const models = AllowedModels.safeParse(row.subagent_models && JSON.parse(row.subagent_models));
  return {
    id: row.id as SessionId,
    tenant: row.tenant as TenantId,
    header: JSON.parse(row.header) as SessionHeader,
    options: { ...(models.success && { subagentModels: models.data }), ...(JSON.parse(row.options) as JsonObject) },
    status: row.status,
    generation: row.generation,
    ...(row.host_id !== null && { host: { id: row.host_id, epoch: row.host_epoch ?? 0 } }),
    queueLength: row.queue_length,
    ...(row.open_turn !== null && { openTurn: row.open_turn }),
    usage: row.usage,
    ...(row.model !== null && { model: row.model }),
    title: row.title,
    preview: row.preview,
    metadata: row.metadata,
    ...(row.parent_id !== null && { parent: row.parent_id as SessionId }),
    ...(preset.success && { defaultPreset: preset.data }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
