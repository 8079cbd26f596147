import { sql } from 'kysely';
import { textOf, type ContentBlock, type SessionId, type TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** What a title is made of. */
export interface TitleMaterial {
  /** What people said last, in order. */
  said: { seq: number; text: string }[];
  /** Who gave the title the session has; absent = it has none. */
  titledBy?: string;
}

const MESSAGES = 20;

/** Reads what people said up to a message, and who gave the title so far. */
export async function readTitleMaterial(
  database: Database,
  { tenant, session, upTo }: { tenant: TenantId; session: SessionId; upTo: number },
): Promise<TitleMaterial> {
  const { rows } = await sql<{ seq: number; type: string; data: string }>`
    (select seq, type, data from session_events
      where tenant = ${tenant} and session_id = ${session} and type = 'user/message' and surface_op = 'append'
        and seq <= ${upTo} and storable_json(data)->'source'->>'kind' = 'user'
      order by seq desc limit ${MESSAGES})
    union all
    (select seq, type, data from session_events
      where tenant = ${tenant} and session_id = ${session} and type = 'session/title' order by seq desc limit 1)`.execute(
    database,
  );
  const said = rows
    .filter(({ type }) => type === 'user/message')
    .map(({ seq, data }) => ({ seq, text: textOf((JSON.parse(data) as { content: ContentBlock[] }).content) }))
    .toSorted((a, b) => a.seq - b.seq);
  const title = rows.find(({ type }) => type === 'session/title');
  const source = title && (JSON.parse(title.data) as { source: { kind: string } }).source;
  return { said, ...(source && { titledBy: source.kind }) };
}
