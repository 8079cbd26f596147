import { sql } from 'kysely';
import { LogCheck } from '@everturn/core/domain';
import type { SessionEvent } from '@everturn/core/domain';
import { readEvents } from '@everturn/core/postgres';
import type { EventPage, LogGap } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { asProjectionError } from '../errors.ts';
import type { Projection } from '../projection.ts';
import type { LogProblem } from '../verify.ts';

type SessionKey = Pick<SessionRef, 'tenant' | 'session'>;

const PAGE = 1_000;

/** Checks a log against its own rules: numbers, order, enclosure, pairing, surface, content hashes and its head. */
export async function checkStoredLog(
  projection: Projection,
  { gaps, progress, ...key }: SessionKey & { gaps: readonly LogGap[]; progress?: () => void },
): Promise<LogProblem[]> {
  const check = new LogCheck(gaps, 'check');
  const hashes: LogProblem[] = [];
  for await (const events of pagesOf(projection, key)) {
    for (const event of events) check.push(event);
    hashes.push(...(await wrongHashes(projection, { ...key, events })));
    progress?.();
  }
  const rules = check.end('open').map(({ seq, rule, message }) => problem(seq, `${rule}: ${message}`));
  return [...rules, ...hashes, ...(await wrongHead(projection, key, gaps))];
}

async function* pagesOf({ database }: Projection, key: SessionKey): AsyncGenerator<SessionEvent[]> {
  for (let from: number | undefined = 0; from !== undefined;) {
    const next: number = from;
    const page: EventPage<SessionEvent> = await asProjectionError(() =>
      readEvents(database, { ...key, from: next, limit: PAGE }),
    );
    yield page.events;
    from = page.next;
  }
}

async function wrongHashes(
  { database }: Projection,
  { tenant, session, events }: SessionKey & { events: readonly SessionEvent[] },
): Promise<LogProblem[]> {
  const [from, to] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? -1];
  const { rows } = await asProjectionError(() =>
    sql<{ seq: number; eid: string }>`
      select seq, eid from session_events
      where tenant = ${tenant} and session_id = ${session} and seq >= ${from} and seq <= ${to}
        and content_hash <> content_hash(type, coalesce(stamped_time, time), surface_op, data)
      order by seq`.execute(database),
  );
  return rows.map(({ seq, eid }) => problem(seq, `the content of ${eid} does not have its hash`));
}

/** Head and last row are read by one statement: a session that is at work moves both at once. */
async function wrongHead(
  { database }: Projection,
  { tenant, session }: SessionKey,
  gaps: readonly LogGap[],
): Promise<LogProblem[]> {
  const { rows } = await asProjectionError(() =>
    sql<{ next: number | null; last: number | null }>`
      select
        (select next_seq from log_heads where tenant = ${tenant} and session_id = ${session}) as next,
        (select max(seq) from session_events where tenant = ${tenant} and session_id = ${session}) as last
    `.execute(database),
  );
  const { next = null, last = null } = rows[0] ?? {};
  if (next === null) return last === null ? [] : [{ by: 'rows', message: 'the log has rows and no head' }];
  const wanted = Math.max(last ?? -1, ...gaps.map(({ to }) => to)) + 1;
  if (next === wanted) return [];
  return [{ by: 'rows', message: `the head says the next number is ${next}, the rows say ${wanted}` }];
}

function problem(seq: number, message: string): LogProblem {
  return { by: 'rows', seq, message };
}
