import { sql } from 'kysely';
import type { Database } from './database.ts';

export interface CollectBlobsInput {
  /** How long histories are kept, in ms; a day is added for clocks and for values stored at the last moment. */
  retentionMs: number;
  /** Most blobs of one run. */
  limit: number;
}

const A_DAY_MS = 24 * 3_600_000;

/**
 * Deletes stored values that nothing can ask for any more; answers how many. A reference lives in rows, or in histories
 * of sessions that existed when the value was last stored: as long as one of those is open, or was closed within the
 * retention, the value stays, since a log could not be rebuilt without it.
 */
export async function collectBlobs(database: Database, { retentionMs, limit }: CollectBlobsInput): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with candidates as materialized (
      select tenant, id from blobs
      where used_at < ${expiry(retentionMs)}
        and not exists (
          select from sessions
          where sessions.tenant = blobs.tenant and sessions.created_at <= blobs.used_at
            and (sessions.status <> 'closed' or sessions.updated_at >= ${expiry(retentionMs)})
        )
      order by used_at
      limit ${limit}
      -- A value stored again meanwhile is looked at anew, and stays.
      for update skip locked
    ), texts as (
      select tenant, entry as text from prompts
      union all select tenant, outcome from claims
      union all select tenant, written from claims
    ), referred as materialized (
      select distinct texts.tenant, found[1] as id
      from texts, regexp_matches(texts.text, '"\\$blob":"([0-9a-f]+)"', 'g') as found
      where texts.tenant in (select tenant from candidates) and position('"$blob"' in texts.text) > 0
    )
    delete from blobs using candidates
    where blobs.tenant = candidates.tenant and blobs.id = candidates.id
      and not exists (select from referred where referred.tenant = blobs.tenant and referred.id = blobs.id)
  `.execute(database);
  return Number(numAffectedRows);
}

const expiry = (retentionMs: number) =>
  sql<Date>`clock_timestamp() - ${retentionMs + A_DAY_MS} * interval '1 millisecond'`;
