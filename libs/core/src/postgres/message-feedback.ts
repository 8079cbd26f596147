import { sql } from 'kysely';
import type { SessionId, TenantId } from '../domain/index.ts';
import { storableText, type ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** What people think of answers. */
export interface MessageFeedbackTable {
  session_id: string;
  seq: number;
  tenant: string;
  rating: 'positive' | 'negative';
  note: string | null;
  version: number;
  updated_at: ClockColumn;
}

/** What somebody thinks of one answer, which its number in the log names. */
export interface MessageFeedback {
  seq: number;
  rating: 'positive' | 'negative';
  note?: string;
  version: number;
}

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** All of a session, in the order of the answers. */
export async function listMessageFeedback(
  database: Database,
  { tenant, session }: SessionKey,
): Promise<MessageFeedback[]> {
  const rows = await database
    .selectFrom('message_feedback')
    .select(['seq', 'rating', 'note', 'version'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .orderBy('seq')
    .execute();
  return rows.map(({ note, ...rest }) => ({ ...rest, ...(note !== null && { note }) }));
}

export interface PutMessageFeedback extends SessionKey {
  seq: number;
  rating: 'positive' | 'negative';
  note?: string;
  /** The version it takes the place of; `null` = there is none yet; absent = whichever there is. */
  ifVersion?: number | null;
}

export type FeedbackPut =
  | { kind: 'put'; version: number }
  | { kind: 'conflict'; actual: number | null }
  | { kind: 'no-target' };

/** Says what somebody thinks of an answer, by compare and set. */
export async function putMessageFeedback(database: Database, input: PutMessageFeedback): Promise<FeedbackPut> {
  const { tenant, session, seq, rating, note, ifVersion } = input;
  const said = note === undefined ? null : storableText(note);
  const anything = ifVersion === undefined;
  const expected = ifVersion ?? 0;
  const { rows } = await sql<{ version: number }>`
    insert into message_feedback (session_id, seq, tenant, rating, note, version)
    select session_id, seq, tenant, ${rating}, ${said}, 1 from session_events
    where tenant = ${tenant} and session_id = ${session} and seq = ${seq} and type = 'assistant/message'
      and (${anything} or ${expected} = 0 or exists (
        select from message_feedback where session_id = ${session} and seq = ${seq}))
    on conflict (session_id, seq) do update set rating = excluded.rating, note = excluded.note,
      version = message_feedback.version + 1, updated_at = clock_timestamp()
    where ${anything} or message_feedback.version = ${expected}
    returning version`.execute(database);
  if (rows[0]) return { kind: 'put', version: rows[0].version };
  const found = await sql<{ version: number | null }>`
    select f.version from session_events as e
      left join message_feedback as f on f.session_id = e.session_id and f.seq = e.seq
    where e.tenant = ${tenant} and e.session_id = ${session} and e.seq = ${seq} and e.type = 'assistant/message'`.execute(
    database,
  );
  const [target] = found.rows;
  return target ? { kind: 'conflict', actual: target.version } : { kind: 'no-target' };
}

/** Takes back what was thought of an answer; taking back what is not there changes nothing. */
export async function deleteMessageFeedback(
  database: Database,
  { tenant, session, seq }: SessionKey & { seq: number },
): Promise<void> {
  await database
    .deleteFrom('message_feedback')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('seq', '=', seq)
    .execute();
}
