import { sql } from 'kysely';
import type { Servers } from '../stack/servers.ts';

/**
 * The end of Postgres' write-ahead log as a count of bytes: the difference of two is everything that was written in
 * between, tables and indexes alike.
 */
export async function walPosition({ database }: Servers): Promise<number> {
  const found = await sql<{ bytes: string }>`select pg_current_wal_insert_lsn() - '0/0' as bytes`.execute(database);
  return Number(found.rows[0]?.bytes);
}

/**
 * Makes the log hold what is written and nothing else: otherwise the first change to a page after a checkpoint
 * copies the whole page, which tells of checkpoints and not of us. Resolves when it is in force.
 */
export async function withoutFullPages({ database }: Servers): Promise<void> {
  await sql`alter system set full_page_writes = off`.execute(database);
  await sql`alter system set autovacuum = off`.execute(database);
  await sql`select pg_reload_conf()`.execute(database);
  await sql`checkpoint`.execute(database);
}

/** Undoes `withoutFullPages`. */
export async function withFullPages({ database }: Servers): Promise<void> {
  await sql`alter system reset full_page_writes`.execute(database);
  await sql`alter system reset autovacuum`.execute(database);
  await sql`select pg_reload_conf()`.execute(database);
}

/** The size of a workflow's history in bytes, of its latest run. */
export async function historyBytes({ client }: Servers, workflowId: string): Promise<{ runId: string; bytes: number }> {
  const { raw, runId } = await client.workflow.getHandle(workflowId).describe();
  return { runId, bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? Number.NaN) };
}
