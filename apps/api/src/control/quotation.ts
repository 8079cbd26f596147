import {
  deriveMessages,
  eventTypes,
  isSurfaceType,
  MOST_QUOTED_SESSIONS,
  quoteSessions,
  SurfaceFold,
  type QuotedSession,
  type SessionId,
  type TenantId,
} from '@everturn/core/domain';
import { readEvents, readSession, type Database } from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';

const PAGE_ROWS = 500;

interface Wanted {
  tenant: TenantId;
  /** Who is to read it. */
  session: SessionId;
  sessions: readonly SessionId[];
}

/** Other sessions of a tenant as one text; throws `SESSION_REFERENCE_…`, naming the one at fault. */
export async function quotationOf(database: Database, { tenant, session, sessions }: Wanted): Promise<string> {
  const wanted = [...new Set(sessions)];
  if (wanted.length > MOST_QUOTED_SESSIONS)
    throw refused('TOO_MANY', `at most ${MOST_QUOTED_SESSIONS} sessions may be quoted at once`);
  if (wanted.includes(session)) throw refused('SELF_REFERENCE', `"${session}" cannot be quoted to itself`);
  const quoted: QuotedSession[] = [];
  for (const id of wanted) quoted.push(await read(database, { tenant, session: id }));
  const quotation = quoteSessions(quoted);
  if (quotation.kind === 'quoted') return quotation.text;
  throw refused(
    'BUDGET_EXCEEDED',
    `the last message of "${quotation.session}" alone is too long; quote fewer sessions`,
  );
}

async function read(database: Database, key: { tenant: TenantId; session: SessionId }): Promise<QuotedSession> {
  const row = await readSession(database, key);
  if (!row) throw refused('INVALID_REFERENCE', `no session "${key.session}"`);
  const fold = new SurfaceFold();
  const types = eventTypes().filter((type) => isSurfaceType(type));
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(database, {
      ...key,
      from,
      types,
      limit: PAGE_ROWS,
    });
    for (const event of page.events) fold.apply(event);
    from = page.next;
  }
  return { id: row.id, title: row.title, messages: deriveMessages(fold.nodes()) };
}

function refused(cause: 'TOO_MANY' | 'SELF_REFERENCE' | 'INVALID_REFERENCE' | 'BUDGET_EXCEEDED', message: string) {
  const issues = [{ field: 'body.sessions', message }];
  return new ApiError({ code: `SESSION_REFERENCE_${cause}`, message: `body.sessions: ${message}`, issues });
}
