import type { Kysely } from 'kysely';
import { canonicalJson, type SessionEvent, type SessionId, type TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';
import type { LogGap } from './log-gaps.ts';
import { startSessionRow, type StartSessionInput, type StartSessionResult } from './sessions.ts';
import type { Tables } from './tables.ts';

/** A piece of a log that was brought from elsewhere: one event a line. */
export interface SessionImportTable {
  session_id: string;
  part: number;
  tenant: string;
  lines: string;
}

export interface ImportSessionInput extends StartSessionInput {
  events: readonly SessionEvent[];
  gaps: readonly LogGap[];
}

/** Characters of a piece, about. */
const PART_CHARACTERS = 4 * 1024 * 1024;

/** Stores a session that is to begin with a log from elsewhere, as a whole or not at all. */
export function importSessionRow(database: Database, input: ImportSessionInput): Promise<StartSessionResult> {
  const { tenant, session, events, gaps } = input;
  return database.transaction().execute(async (transaction) => {
    const started = await startSessionRow(transaction, input);
    if (started.kind !== 'started') return started;
    let part = 0;
    for (const lines of pieces(events)) {
      await transaction.insertInto('session_imports').values({ session_id: session, part, tenant, lines }).execute();
      part += 1;
    }
    if (gaps.length > 0)
      await transaction
        .insertInto('log_gaps')
        .values(
          gaps.map(({ from, to, reason }) => ({ session_id: session, from_seq: from, to_seq: to, tenant, reason })),
        )
        .execute();
    return started;
  });
}

/** What a session's log was brought with, piece by piece; nothing for one that was born here. */
export async function* readImport(
  executor: Kysely<Tables>,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): AsyncGenerator<SessionEvent[]> {
  for (let part = 0; ; part += 1) {
    const row = await executor
      .selectFrom('session_imports')
      .select('lines')
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('part', '=', part)
      .executeTakeFirst();
    if (!row) return;
    yield row.lines.split('\n').map((line) => JSON.parse(line) as SessionEvent);
  }
}

/** Whether a session's log was brought from elsewhere. */
export async function isImported(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<boolean> {
  const row = await database
    .selectFrom('session_imports')
    .select('part')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('part', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
}

function* pieces(events: readonly SessionEvent[]): Generator<string> {
  let lines: string[] = [];
  let size = 0;
  for (const event of events) {
    const line = canonicalJson(event);
    lines.push(line);
    size += line.length;
    if (size < PART_CHARACTERS) continue;
    yield lines.join('\n');
    [lines, size] = [[], 0];
  }
  if (lines.length > 0) yield lines.join('\n');
}
