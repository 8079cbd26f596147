import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { SessionHeader } from '@everturn/core/domain';
import { isImported, readSession, type Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError } from './errors.ts';
import { copyImport, strayedImport } from './plant-import.ts';
import type { Projection } from './projection.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

/** Where a log begins that is not all its own: with another's here, or with one from elsewhere. */
export interface Seed {
  /** Absent: it was brought from elsewhere. */
  parent?: SessionHeader['id'];
  /** Events below this number are the parent's. */
  length: number;
}

/** The part of a session's log that is another's; nothing for one that began empty. */
export async function seedOf({ database }: Projection, key: SessionKey): Promise<Seed | undefined> {
  const row = await asProjectionError(() => readSession(database, key));
  const { parentSession: parent, seedLength: length } = row?.header ?? {};
  if (!length) return undefined;
  if (await asProjectionError(() => isImported(database, key))) return { length };
  return parent ? { parent, length } : undefined;
}

/** Copies the seed of a log that has none of its rows yet; a log never loses rows, so it is the same whenever it is done. */
export async function plantSeed(projection: Projection, key: SessionKey): Promise<void> {
  const seed = await seedOf(projection, key);
  if (!seed) return;
  await asProjectionError(() =>
    projection.database.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ next_seq: number }>`
        select next_seq from log_heads where tenant = ${key.tenant} and session_id = ${key.session} for no key update
      `.execute(transaction);
      if (rows[0]?.next_seq !== 0) return;
      await copyRows(transaction, key, seed);
      await sql`
        update log_heads set next_seq = ${seed.length},
          last_turn = (select coalesce(max(turn), 0) from session_events where session_id = ${key.session}),
          last_time = (select coalesce(max(time), 0) from session_events where session_id = ${key.session})
        where tenant = ${key.tenant} and session_id = ${key.session}`.execute(transaction);
    }),
  );
}

/** Writes the rows of a seed that are not there. */
export async function copyRows(executor: Kysely<Tables>, { tenant, session }: SessionKey, seed: Seed): Promise<void> {
  if (!seed.parent) return copyImport(executor, { tenant, session });
  await sql`
    insert into session_events
      (session_id, seq, tenant, type, time, stamped_time, eid, content_hash, data, turn, step,
       surface_op, replace_start, replace_end, source_ranges)
    select ${session}, seq, tenant, type, time, stamped_time, 'seed/' || seq, content_hash, data, turn, step,
      surface_op, replace_start, replace_end, source_ranges
    from session_events
    where tenant = ${tenant} and session_id = ${seed.parent} and seq < ${seed.length}
    on conflict do nothing`.execute(executor);
  await sql`
    insert into log_gaps (session_id, from_seq, to_seq, tenant, reason)
    select ${session}, from_seq, to_seq, tenant, reason from log_gaps
    where tenant = ${tenant} and session_id = ${seed.parent} and to_seq < ${seed.length}
    on conflict do nothing`.execute(executor);
}

/** Numbers of seed rows that are not as the parent's; rows the parent no longer has are not judged. */
export async function strayedSeed(
  { database }: Projection,
  { tenant, session }: SessionKey,
  seed: Seed,
): Promise<number[]> {
  if (!seed.parent) return asProjectionError(() => strayedImport(database, { tenant, session }));
  const { rows } = await asProjectionError(() =>
    sql<{ seq: number }>`
      select parent.seq from session_events as parent
      left join session_events as own on own.session_id = ${session} and own.seq = parent.seq
      where parent.tenant = ${tenant} and parent.session_id = ${seed.parent} and parent.seq < ${seed.length}
        and parent.type <> 'assistant/chunk' and own.content_hash is distinct from parent.content_hash
      order by parent.seq`.execute(database),
  );
  return rows.map(({ seq }) => seq);
}
