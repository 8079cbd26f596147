import { sql } from 'kysely';
import { textOf, type ContentBlock, type SessionId, type StreamChunk, type TenantId } from '../domain/index.ts';
import type { JsonValue, TurnEndReason } from '../domain/index.ts';
import type { Database } from './database.ts';

export interface OwnPart {
  tenant: TenantId;
  session: SessionId;
  /** Events below this number are not its own. */
  from: number;
}

/** Why the last turn that answered a message ended; `undefined` when none has, or the last one is open. */
export async function lastTurnEnd(
  database: Database,
  { tenant, session, from }: OwnPart,
): Promise<TurnEndReason | undefined> {
  const { rows } = await sql<{ ended: string | null }>`
    select (
      select data from session_events as ended
      where session_id = ${session} and type = 'turn/end' and turn = begun.turn
    ) as ended
    from session_events as begun
    where tenant = ${tenant} and session_id = ${session} and type = 'turn/start' and seq >= ${from}
      and storable_json(data)->'trigger'->>'kind' = 'message'
    order by seq desc limit 1`.execute(database);
  return rows[0]?.ended == null ? undefined : (JSON.parse(rows[0].ended) as { reason: TurnEndReason }).reason;
}

/** The data an agent gave as its result, if it gave any. */
export async function lastOutput(
  database: Database,
  { tenant, session, from }: OwnPart,
): Promise<{ value: JsonValue } | undefined> {
  const { rows } = await sql<{ data: string }>`
    select data from session_events
    where tenant = ${tenant} and session_id = ${session} and type = 'subagent/output' and seq >= ${from}
    order by seq desc limit 1`.execute(database);
  return rows[0] && (JSON.parse(rows[0].data) as { value: JsonValue });
}

const PAGE = 20;

/** The last thing an agent said; where no message says anything, what was streamed of its last turn. */
export async function lastWords(database: Database, { tenant, session, from }: OwnPart): Promise<string> {
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ seq: number; data: string }>`
      select seq, data from session_events
      where tenant = ${tenant} and session_id = ${session} and type = 'assistant/message'
        and seq >= ${from} and seq < ${below}
      order by seq desc limit ${PAGE}`.execute(database);
    for (const { data } of rows) {
      const words = textOf((JSON.parse(data) as { content: ContentBlock[] }).content);
      if (words.trim() !== '') return words;
    }
    if (rows.length < PAGE) return streamedWords(database, { tenant, session, from });
    below = rows.at(-1)?.seq ?? 0;
  }
}

async function streamedWords(database: Database, { tenant, session, from }: OwnPart): Promise<string> {
  const { rows } = await sql<{ data: string }>`
    select data from session_events
    where tenant = ${tenant} and session_id = ${session} and type = 'assistant/chunk' and seq >= ${from}
      and turn = (select max(turn) from session_events where session_id = ${session} and type = 'turn/start')
    order by seq`.execute(database);
  return rows
    .map(({ data }) => (JSON.parse(data) as { chunk: StreamChunk }).chunk)
    .map((chunk) => (chunk.type === 'text-delta' ? chunk.text : ''))
    .join('');
}
