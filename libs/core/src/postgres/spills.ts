import { sql } from 'kysely';
import type { SessionId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Results that were too long to show. */
export interface SpillTable {
  id: string;
  session_id: string;
  tenant: string;
  name: string;
  content: Buffer;
  created_at: ClockColumn;
}

/** Keeps a text for a session, under an id nobody can guess; durable when it resolves. */
export async function putSpill(
  database: Database,
  { id, session, name, text }: { id: string; session: SessionId; name: string; text: string },
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    insert into spills (id, session_id, tenant, name, content)
    select ${id}, id, tenant, ${name}, ${Buffer.from(text, 'utf8')} from sessions where id = ${session}`.execute(
    database,
  );
  if (numAffectedRows === 0n) throw new Error(`there is no session ${session} to keep a result for`);
}

/** A kept text, for the session it is of and for those that began with that one's log; `undefined` for all others. */
export async function readSpill(
  database: Database,
  { id, session }: { id: string; session: SessionId },
): Promise<string | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    with recursive lineage (id, tenant, parent_id) as (
      select id, tenant, parent_id from sessions where id = ${session}
      union
      select above.id, above.tenant, above.parent_id from sessions as above
        join lineage on lineage.parent_id = above.id and lineage.tenant = above.tenant
    )
    select content from spills join lineage on spills.session_id = lineage.id and spills.tenant = lineage.tenant
    where spills.id = ${id}`.execute(database);
  return rows[0]?.content.toString('utf8');
}

/** As long as files of results are kept. */
const KEPT_DAYS = 30;

/** Deletes kept texts of every tenant that are older than 30 days, the oldest first; answers how many. */
export async function expireSpills(database: Database, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from spills where id in (
      select id from spills where created_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'
      order by created_at
      limit ${limit}
    )`.execute(database);
  return Number(numAffectedRows);
}
