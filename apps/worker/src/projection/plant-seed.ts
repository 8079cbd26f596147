import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { SessionHeader } from '@everturn/core/domain';
import { isImported, readHead, readSession, type Tables } from '@everturn/core/postgres';
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

/**
 * Copies the seed of a log that has not begun yet. A long one takes a while: whatever an attempt has copied stays, and
 * the head is moved when all of it is there. A log never loses rows, so it is the same whenever it is done.
 */
export async function plantSeed(projection: Projection, key: SessionKey): Promise<void> {
  const { database } = projection;
  const { tenant, session } = key;
  const seed = await seedOf(projection, key);
  if (!seed || (await asProjectionError(() => readHead(database, key)))?.nextSeq !== 0) return;
  await asProjectionError(async () => {
    const { rows } = await sql<{ last: number | null }>`
      select max(seq) as last from session_events where tenant = ${tenant} and session_id = ${session}`.execute(
      database,
    );
    await copyRows(database, key, seed, rows[0]?.last ?? -1);
    await sql`
      update log_heads set next_seq = ${seed.length},
        last_turn = coalesce((
          select max(turn) from session_events where session_id = ${session} and type = 'turn/start'), 0),
        last_time = coalesce((
          select time from session_events where session_id = ${session} order by seq desc limit 1), 0),
        (turns, steps, messages, tool_calls, failed_calls, summaries) = (
          select c.turns, c.steps, c.messages, c.tool_calls, c.failed_calls, c.summaries from count_log(${session}) as c)
      where tenant = ${tenant} and session_id = ${session} and next_seq = 0`.execute(database);
  });
}

/** Writes the rows of a seed behind a number that are not there, a portion with each statement. */
export async function copyRows(
  executor: Kysely<Tables>,
  { tenant, session }: SessionKey,
  seed: Seed,
  after = -1,
): Promise<void> {
  if (!seed.parent) return copyImport(executor, { tenant, session, after });
  for (let last: number | null = after; last !== null;)
    last = await copyPortion(executor, { tenant, session, seed, after: last });
  await sql`
    insert into log_gaps (session_id, from_seq, to_seq, tenant, reason)
    select ${session}, from_seq, to_seq, tenant, reason from log_gaps
    where tenant = ${tenant} and session_id = ${seed.parent} and to_seq < ${seed.length}
    on conflict do nothing`.execute(executor);
}

/** What one statement copies at most: each row is also made ready to be searched, and a statement has seconds. */
const PORTION = { rows: 1_000, bytes: 1024 * 1024 };

/** Answers the last number it went to; `null`: there was nothing left. */
async function copyPortion(
  executor: Kysely<Tables>,
  { tenant, session, seed, after }: SessionKey & { seed: Seed; after: number },
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with portion as materialized (
      select max(seq) as last
      from (
        select seq, sum(bytes) over (order by seq) - bytes as bytes_before
        from (
          select seq, octet_length(data) as bytes from session_events
          where tenant = ${tenant} and session_id = ${seed.parent} and seq > ${after} and seq < ${seed.length}
          order by seq
          limit ${PORTION.rows}
        ) as page
      ) as measured
      where bytes_before < ${PORTION.bytes}
    ), copied as (
      insert into session_events
        (session_id, seq, tenant, type, time, stamped_time, eid, content_hash, data, turn, step,
         surface_op, replace_start, replace_end, source_ranges)
      select ${session}, seq, tenant, type, time, stamped_time, 'seed/' || seq, content_hash, data, turn, step,
        surface_op, replace_start, replace_end, source_ranges
      from session_events
      where tenant = ${tenant} and session_id = ${seed.parent} and seq > ${after} and seq <= (select last from portion)
      order by seq
      on conflict do nothing
    )
    select last from portion`.execute(executor);
  return rows[0]?.last ?? null;
}

/** Numbers that one statement looks at. */
const SPAN = 10_000;

/** Numbers of seed rows that are not as the parent's; rows the parent no longer has are not judged. */
export async function strayedSeed(
  { database }: Projection,
  { tenant, session, progress }: SessionKey & { progress?: () => void },
  seed: Seed,
): Promise<number[]> {
  if (!seed.parent) return asProjectionError(() => strayedImport(database, { tenant, session }, progress));
  const strayed: number[] = [];
  for (let from = 0; from < seed.length; from += SPAN) {
    progress?.();
    const { rows } = await asProjectionError(() =>
      sql<{ seq: number }>`
        select parent.seq from session_events as parent
        left join session_events as own on own.session_id = ${session} and own.seq = parent.seq
        where parent.tenant = ${tenant} and parent.session_id = ${seed.parent}
          and parent.seq >= ${from} and parent.seq < ${Math.min(from + SPAN, seed.length)}
          and parent.type <> 'assistant/chunk' and own.content_hash is distinct from parent.content_hash
        order by parent.seq`.execute(database),
    );
    for (const { seq } of rows) strayed.push(seq);
  }
  return strayed;
}
