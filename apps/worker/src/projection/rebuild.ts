import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { readSeals } from '@everturn/core/postgres';
import type { Tables } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import { asProjectionError, ProjectionError } from './errors.ts';
import { collectFacts } from './histories/collect-facts.ts';
import type { HistorySource } from './histories/collect-facts.ts';
import { expectedRows } from './histories/expected-rows.ts';
import type { ExpectedRow, LogRow } from './histories/expected-rows.ts';
import { copyRows, seedOf } from './plant-seed.ts';
import type { Projection } from './projection.ts';
import { rebuildEffects } from './rebuild/rebuild-effects.ts';
import { rebuildHead } from './rebuild/rebuild-head.ts';
import { rebuildJobs } from './rebuild/rebuild-jobs.ts';
import { rebuildPrompts } from './rebuild/rebuild-prompts.ts';
import { same, storedRows } from './verify/compare-rows.ts';

export interface RebuildInput extends Pick<SessionRef, 'tenant' | 'session'> {
  progress?: () => void;
}
export interface RebuildReport {
  /** Rows written because they were missing or differed from their history. */
  restored: number;
  /** Rows that were as they must be. */
  kept: number;
  /** Numbers without a row, which nothing could bring back: chunks as a rule. */
  gaps: number;
  /** Effects, messages and background jobs written because they were missing. */
  effects: number;
  prompts: number;
  jobs: number;
}

/**
 * Recreates a session's log from the histories the server has, and with it its head, the effects ledger, the messages
 * and the list of background jobs, though not what those wrote. Rows below the last seal, and chunks that are still there, are left alone; what cannot be brought back is
 * listed in `log_gaps`. Throws `REBUILD_IMPOSSIBLE` when numbers were given to events that no history holds.
 */
export async function rebuild(
  projection: Projection,
  source: HistorySource,
  input: RebuildInput,
): Promise<RebuildReport> {
  const key = { tenant: input.tenant, session: input.session };
  const sealed = (await asProjectionError(() => readSeals(projection.database, key))).at(-1);
  const seed = await seedOf(projection, key);
  const above = Math.max(sealed?.toSeq ?? -1, (seed?.length ?? 0) - 1);
  const { facts } = await collectFacts(projection, source, { ...input, sealedTurn: sealed?.turn ?? 0 });
  const { rows, contentless } = await expectedRows(projection, { ...key, above }, facts);
  const lost = contentless.find(({ seq }) => seq > above);
  if (lost)
    throw new ProjectionError('REBUILD_IMPOSSIBLE', `no history holds the content of ${lost.eid} (seq ${lost.seq})`);
  const report = await asProjectionError(() =>
    projection.database.transaction().execute(async (transaction) => {
      await lockHead(transaction, key);
      // Nobody is told of turns that ended long ago.
      await sql`select set_config('everturn.rebuilding', '1', true)`.execute(transaction);
      if (seed) await copyRows(transaction, key, seed);
      const stored = new Map<number, LogRow>();
      for await (const row of storedRows(transaction, { ...key, above })) stored.set(row.seq, row);
      const differing = await differingRows(stored, rows);
      await replaceRows(transaction, key, differing);
      const highest = Math.max(-1, ...facts.chunks.map(({ to }) => to));
      const gaps = await rebuildHead(transaction, { ...key, generation: facts.generation, highestChunk: highest });
      const effects = await rebuildEffects(transaction, key, facts);
      const prompts = await rebuildPrompts(transaction, key, facts);
      const jobs = await rebuildJobs(transaction, key, facts.jobs.known());
      return { restored: differing.length, kept: rows.length - differing.length, gaps, effects, prompts, jobs };
    }),
  );
  projection.notifier.notify([key]);
  return report;
}

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

async function lockHead(executor: Kysely<Tables>, { tenant, session }: SessionKey): Promise<void> {
  const known = await executor
    .selectFrom('sessions')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .executeTakeFirst();
  if (!known) throw new ProjectionError('LOG_MISSING', `there is no session ${session}`);
  await executor
    .insertInto('log_heads')
    .values({ session_id: session, tenant })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
  await executor.selectFrom('log_heads').select('next_seq').where('session_id', '=', session).forUpdate().execute();
}

async function differingRows(stored: Map<number, LogRow>, rows: readonly ExpectedRow[]): Promise<LogRow[]> {
  const differing: LogRow[] = [];
  for (const { readData, ...columns } of rows) {
    const wanted = { ...columns, data: await readData() };
    if (!sameRow(stored.get(wanted.seq), wanted)) differing.push(wanted);
  }
  return differing;
}

function sameRow(stored: LogRow | undefined, wanted: LogRow): boolean {
  return (
    stored !== undefined && (Object.keys(wanted) as (keyof LogRow)[]).every((key) => same(stored[key], wanted[key]))
  );
}

/** Rows of a statement: texts and numbers of large logs must not make one statement of hundreds of megabytes. */
const BATCH = 100;

async function replaceRows(
  executor: Kysely<Tables>,
  { tenant, session }: SessionKey,
  rows: readonly LogRow[],
): Promise<void> {
  // First everything in the way: a row may have another's number, and its name stand elsewhere.
  await sql`
    delete from session_events
    where tenant = ${tenant} and session_id = ${session}
      and (seq = any (${rows.map(({ seq }) => seq)}::bigint[]) or eid = any (${rows.map(({ eid }) => eid)}::text[]))
  `.execute(executor);
  for (let first = 0; first < rows.length; first += BATCH) {
    const batch = rows.slice(first, first + BATCH);
    await executor
      .insertInto('session_events')
      .values(
        batch.map(({ source_ranges, ...row }) => ({
          ...row,
          session_id: session,
          tenant,
          source_ranges: source_ranges === null ? null : sql<never>`${JSON.stringify(source_ranges)}::jsonb`,
          content_hash: sql<Buffer>`content_hash(${row.type}, ${row.stamped_time ?? row.time}, ${row.surface_op}, ${row.data})`,
        })),
      )
      .execute();
  }
}
