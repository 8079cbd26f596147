import type { SessionId, TenantId } from '../domain/index.ts';
import type { Generated } from 'kysely';
import type { Database } from './database.ts';

/** One narrow row per log, locked by every commit: the only place numbers come from. */
export interface LogHeadTable {
  session_id: string;
  tenant: string;
  next_seq: Generated<number>;
  generation: Generated<number>;
  opened_by: string | null;
  closed: Generated<boolean>;
  open_turn: number | null;
  open_step: number | null;
  last_turn: Generated<number>;
  last_step: Generated<number>;
  last_time: Generated<number>;
  turn_start_seq: number | null;
  step_start_seq: number | null;
  open_calls: Generated<string[]>;
  open_brackets: Generated<string[]>;
  seen_brackets: Generated<string[]>;
  session_from: number | null;
  session_to: number | null;
  seal_tried_at: Generated<Date | null>;
  turns: Generated<number>;
  steps: Generated<number>;
  messages: Generated<number>;
  tool_calls: Generated<number>;
  failed_calls: Generated<number>;
  summaries: Generated<number>;
}

/** Where a log stands. `lastTurn` 0 = no turn yet; `lastTime` in epoch ms. */
export interface LogHead {
  nextSeq: number;
  generation: number;
  closed: boolean;
  openTurn?: number;
  openStep?: number;
  lastTurn: number;
  lastStep: number;
  lastTime: number;
}

export interface ReadHeadInput {
  tenant: TenantId;
  session: SessionId;
}

/** The head of a session's log, or `undefined` when the tenant has no such log. */
export async function readHead(database: Database, { tenant, session }: ReadHeadInput): Promise<LogHead | undefined> {
  const row = await database
    .selectFrom('log_heads')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    nextSeq: row.next_seq,
    generation: row.generation,
    closed: row.closed,
    ...(row.open_turn !== null && { openTurn: row.open_turn }),
    ...(row.open_step !== null && { openStep: row.open_step }),
    lastTurn: row.last_turn,
    lastStep: row.last_step,
    lastTime: row.last_time,
  };
}
