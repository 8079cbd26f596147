import { sql } from 'kysely';
import type { JsonObject, SettingsResult, SessionId, TenantId } from '../domain/index.ts';
import { canonicalJson } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** What tenants say themselves, by namespace. */
export interface SettingsTable {
  tenant: string;
  namespace: string;
  value: string;
  revision: number;
  updated_at: ClockColumn;
}

/** A tenant's own word in one namespace; revision 0 = it never said any. */
export interface StoredSettings {
  user: JsonObject;
  revision: number;
}

const NOTHING: StoredSettings = { user: {}, revision: 0 };

/** What a tenant says in every namespace. */
export async function listSettings(database: Database, tenant: TenantId): Promise<Map<string, StoredSettings>> {
  const rows = await database
    .selectFrom('settings')
    .select(['namespace', 'value', 'revision'])
    .where('tenant', '=', tenant)
    .execute();
  return new Map(
    rows.map(({ namespace, value, revision }) => [namespace, { user: JSON.parse(value) as JsonObject, revision }]),
  );
}

/** What a tenant says in one. */
export async function readSettings(
  database: Database,
  { tenant, namespace }: { tenant: TenantId; namespace: string },
): Promise<StoredSettings> {
  return (await listSettings(database, tenant)).get(namespace) ?? NOTHING;
}

export interface WriteSettingsInput {
  tenant: TenantId;
  namespace: string;
  /** The revision the change was made for; absent = whichever there is. */
  expectedRevision?: number;
  /** Makes the change; asked again where somebody else was faster. */
  change(user: JsonObject): SettingsResult;
}

export type WrittenSettings =
  | { kind: 'written'; result: Exclude<SettingsResult, { kind: 'rejected' }>; revision: number }
  | { kind: 'rejected'; result: Extract<SettingsResult, { kind: 'rejected' }> }
  | { kind: 'conflict'; actual: number };

/** Changes a namespace by compare and set; what equals what there is raises no revision. */
export async function writeSettings(
  database: Database,
  { tenant, namespace, expectedRevision, change }: WriteSettingsInput,
): Promise<WrittenSettings> {
  for (;;) {
    const { user, revision } = await readSettings(database, { tenant, namespace });
    if (expectedRevision !== undefined && expectedRevision !== revision) return { kind: 'conflict', actual: revision };
    const result = change(user);
    if (result.kind === 'rejected') return { kind: 'rejected', result };
    if (result.kind === 'unchanged') return { kind: 'written', result, revision };
    const value = canonicalJson(result.user);
    const { rows } = await sql<{ revision: number }>`
      insert into settings (tenant, namespace, value, revision) values (${tenant}, ${namespace}, ${value}, ${revision + 1})
      on conflict (tenant, namespace) do update set value = excluded.value, revision = excluded.revision,
        updated_at = clock_timestamp()
      where settings.revision = ${revision}
      returning revision`.execute(database);
    if (rows[0]) return { kind: 'written', result, revision: rows[0].revision };
  }
}

/** Where a session runs, what its tenant says, and the mark of the skills people are shown of it, in one statement. */
export async function readSessionStanding(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<{ host?: string; settings: Record<string, JsonObject>; skills?: string }> {
  const { rows } = await sql<{
    host_id: string | null;
    settings: Record<string, JsonObject> | null;
    skills: string | null;
  }>`
    select host_id,
      (select encode(sha256(convert_to(skills, 'UTF8')), 'hex') from session_skills
        where tenant = ${tenant} and session_id = ${session}) as skills,
      (select json_object_agg(namespace, value::json) from settings where tenant = ${tenant}) as settings
    from sessions where tenant = ${tenant} and id = ${session}`.execute(database);
  const [row] = rows;
  return {
    ...(row?.host_id != null && { host: row.host_id }),
    ...(row?.skills != null && { skills: row.skills }),
    settings: row?.settings ?? {},
  };
}
