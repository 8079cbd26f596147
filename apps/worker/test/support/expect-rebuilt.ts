import { sql } from 'kysely';
import type { SessionId } from '@everturn/core/domain';
import { expect } from 'vitest';
import { rebuild, verify, type Projection } from '../../src/projection/index.ts';
import type { Stack } from './stack.ts';

/** What `rebuild` promises to bring back of a session. */
export interface Snapshot {
  rows: unknown[];
  head: unknown;
  claims: unknown[];
  prompts: unknown[];
}

const EMPTIED = ['session_events', 'log_heads', 'log_gaps', 'claims', 'prompts'] as const;

/** Empties a session's tables and rebuilds them from histories: everything comes back, equal but for chunks; a seed is copied. */
export async function expectRebuilt(
  stack: Stack,
  projection: Projection,
  session: string,
  { copied = 0 } = {},
): Promise<void> {
  const before = await snapshot(stack, session);
  expect(before.rows.length).toBeGreaterThan(0);
  for (const table of EMPTIED)
    await sql`delete from ${sql.table(table)} where session_id = ${session}`.execute(stack.database);
  const source = { client: stack.client.workflow };
  const key = { tenant: stack.tenant, session: session as SessionId };
  const report = await rebuild(projection, source, key);
  expect(await snapshot(stack, session)).toEqual(before);
  expect(report).toMatchObject({ restored: before.rows.length - copied, kept: 0 });
  expect((await verify(projection, source, key)).problems).toEqual([]);
}

/**
 * Reads them. Of claims, what model calls and tools did or may have done: asking listeners again does no harm, and what
 * never began cannot begin any more.
 */
export async function snapshot({ database }: Stack, session: string): Promise<Snapshot> {
  const of = async (statement: ReturnType<typeof sql>) => (await statement.execute(database)).rows;
  const [head] = await of(sql`
    select to_jsonb(h) - 'opened_by' - 'session_from' - 'session_to' as head from log_heads as h
    where session_id = ${session}`);
  return {
    rows: await of(sql`
      select seq, type, time, stamped_time, eid, encode(content_hash, 'hex') as hash, data, turn, step, surface_op,
        replace_start, replace_end, source_ranges
      from session_events where session_id = ${session} and type <> 'assistant/chunk' order by seq`),
    head,
    claims: await of(sql`
      select key, state, outcome, turn, step from claims
      where session_id = ${session} and key ~ '^t[0-9]+\.s[0-9]+\.(model|c[0-9]+(\.[0-9]+)?)$' order by key`),
    // A context's preview is for lists; its session is never told.
    prompts: await of(sql`
      select prompt_id, mode, state, turn, case mode when 'inject' then entry::jsonb - 'preview' else entry::jsonb end as entry
      from prompts where session_id = ${session} order by prompt_id`),
  };
}
