import type { SessionEvent } from '@everturn/core/domain';
import { readEvents, type Database } from '@everturn/core/postgres';
import type { SessionKey } from '../platform/follow/log-source.ts';

interface LogPagesInput {
  database: Database;
  key: SessionKey;
  /** The last number wanted. */
  to: number;
  types: readonly string[];
}

const PAGE_ROWS = 500;

/** Every event of the given types, read page by page. */
export async function* logPages({ database, key, to, types }: LogPagesInput): AsyncGenerator<SessionEvent[]> {
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: { events: SessionEvent[]; next?: number } = await readEvents(database, {
      ...key,
      from,
      to,
      types,
      limit: PAGE_ROWS,
    });
    yield page.events;
    from = page.next;
  }
}
