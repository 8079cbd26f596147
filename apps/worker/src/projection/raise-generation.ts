import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { SessionId, TenantId } from '@everturn/core/domain';
import type { SessionRowStatus, Tables } from '@everturn/core/postgres';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

export interface RaiseInput {
  tenant: TenantId;
  session: SessionId;
  /** Who raises: a repeated attempt finds that it did. */
  raisedBy: string;
  /** Whether the log may be raised from the state it is in. */
  judge(found: FoundLog): 'raise' | Error;
}

/** A log before its generation is raised; 0 = it has just been made. */
export interface FoundLog {
  generation: number;
  status: SessionRowStatus;
  closed: boolean;
}

/**
 * Ends every author of a log that lives so far, by raising its generation; makes the log if there is none. Answers the
 * generation in force, or `undefined` when the tenant has no such session. Throws what `judge` answers.
 */
export async function raiseGeneration(projection: Projection, input: RaiseInput): Promise<number | undefined> {
  return asProjectionError(() => projection.database.transaction().execute((transaction) => raise(transaction, input)));
}

async function raise(transaction: Transaction<Tables>, input: RaiseInput): Promise<number | undefined> {
  const { tenant, session, raisedBy, judge } = input;
  const row = await transaction
    .selectFrom('sessions')
    .select(['status'])
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .executeTakeFirst();
  if (!row) return undefined;
  await transaction
    .insertInto('log_heads')
    .values({ session_id: session, tenant })
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
  const head = await transaction
    .selectFrom('log_heads')
    .select(['generation', 'opened_by', 'closed'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (head.opened_by === raisedBy) return head.generation;
  const verdict = judge({ generation: head.generation, status: row.status, closed: head.closed });
  if (verdict !== 'raise') throw verdict;
  const generation = head.generation + 1;
  await transaction
    .updateTable('log_heads')
    .set({ generation, opened_by: raisedBy, closed: false })
    .where('session_id', '=', session)
    .execute();
  await transaction
    .updateTable('sessions')
    .set({ generation, updated_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('id', '=', session)
    .execute();
  return generation;
}
