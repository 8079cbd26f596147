import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import { storableJson } from './columns.ts';
import type { Database } from './database.ts';
import { toSession } from './sessions.ts';
import type { SessionRow, SessionRowStatus } from './sessions.ts';

export interface ListSessionsInput {
  tenant: TenantId;
  status?: readonly SessionRowStatus[];
  parent?: SessionId;
  /** Sessions whose metadata holds all of this. */
  metadata?: object;
  createdAfter?: Date;
  createdBefore?: Date;
  limit: number;
  /** Continue after this session, as the last page ended. */
  after?: { createdAt: Date; id: SessionId };
}

/** Sessions of a tenant, newest first. */
export async function listSessions(database: Database, input: ListSessionsInput): Promise<SessionRow[]> {
  const { tenant, status, parent, metadata, createdAfter, createdBefore, limit, after } = input;
  let query = database.selectFrom('sessions').selectAll().where('tenant', '=', tenant);
  if (status) query = query.where('status', 'in', status);
  if (parent !== undefined) query = query.where('parent_id', '=', parent);
  if (metadata) query = query.where(sql<boolean>`metadata @> ${storableJson(metadata)}::jsonb`);
  if (createdAfter) query = query.where('created_at', '>', createdAfter);
  if (createdBefore) query = query.where('created_at', '<', createdBefore);
  if (after)
    query = query.where((row) =>
      row.or([
        row('created_at', '<', after.createdAt),
        row.and([row('created_at', '=', after.createdAt), row('id', '>', after.id)]),
      ]),
    );
  const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(limit).execute();
  return rows.map(toSession);
}
