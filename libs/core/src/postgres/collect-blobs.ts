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
  const due = expiry(retentionMs);
  const { rows: candidates } = await sql<BlobKey>`
    with alive as materialized (
      select tenant, min(created_at) as since from sessions
      where status <> 'closed' or updated_at >= ${due}
      group by tenant
    )
    select blobs.tenant, blobs.id from blobs left join alive on alive.tenant = blobs.tenant
    where blobs.used_at < ${due} and (alive.since is null or blobs.used_at < alive.since)
    order by blobs.used_at
    limit ${limit}`.execute(database);
  if (candidates.length === 0) return 0;
  const referred = await referredTo(database, candidates);
  // A value stored again meanwhile is looked at anew, and stays; so is, later, what a row refers to.
  await sql`update blobs set used_at = clock_timestamp() where used_at < ${due} and ${among(referred)}`.execute(
    database,
  );
  const loose = candidates.filter(({ tenant, id }) => !referred.some((one) => one.id === id && one.tenant === tenant));
  const { numAffectedRows = 0n } = await sql`
    delete from blobs where used_at < ${due} and ${among(loose)}`.execute(database);
  return Number(numAffectedRows);
}

interface BlobKey {
  tenant: string;
  id: string;
}

/** Which of these some message or effect refers to, by the indexes over what rows refer to. */
async function referredTo(database: Database, blobs: readonly BlobKey[]): Promise<BlobKey[]> {
  const ids = blobs.map(({ id }) => id);
  const { rows } = await sql<BlobKey>`
    select distinct found.tenant, id
    from (
      select tenant, blob_ids(entry) as ids from prompts
      where position('"$blob"' in entry) > 0 and blob_ids(entry) && ${ids}::text[]
      union all
      select tenant, blob_ids(outcome) from claims
      where position('"$blob"' in outcome) > 0 and blob_ids(outcome) && ${ids}::text[]
      union all
      select tenant, blob_ids(written) from claims
      where position('"$blob"' in written) > 0 and blob_ids(written) && ${ids}::text[]
    ) as found, unnest(found.ids) as id
    where id = any (${ids}::text[])`.execute(database);
  return rows;
}

const among = (blobs: readonly BlobKey[]) => sql`
  (tenant, id) in (select * from unnest(${blobs.map(({ tenant }) => tenant)}::text[], ${blobs.map(({ id }) => id)}::text[]))`;

const expiry = (retentionMs: number) =>
  sql<Date>`clock_timestamp() - ${retentionMs + A_DAY_MS} * interval '1 millisecond'`;
