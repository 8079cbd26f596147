import { Inject, Injectable } from '@nestjs/common';
import {
  eventText,
  readEventRows,
  readHead,
  readMarks,
  readSessionView,
  type Database,
  type SessionView,
} from '@everturn/core/postgres';
import type { SessionId } from '@everturn/core/domain';
import { DATABASE } from '../tokens.ts';
import type { LogPage, LogRange, LogSource, SessionKey } from './log-source.ts';

/** A page ends with the row that reaches this many bytes. */
const PAGE_BYTES = 1024 * 1024;

/** Logs as Postgres holds them. */
@Injectable()
export class DatabaseLogSource implements LogSource {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async head(key: SessionKey): Promise<number> {
    const head = await readHead(this.database, key);
    return (head?.nextSeq ?? 0) - 1;
  }

  marks(keys: readonly SessionKey[]): Promise<ReadonlyMap<SessionId, string>> {
    return readMarks(this.database, keys);
  }

  async rows(range: LogRange): Promise<LogPage> {
    const { events, next } = await readEventRows(this.database, {
      tenant: range.tenant,
      session: range.session,
      from: range.after + 1,
      ...(range.through !== undefined && { to: range.through }),
      ...(range.types && { types: range.types }),
      chunks: range.chunks !== 'left-out',
      limit: range.limit,
      maxBytes: PAGE_BYTES,
    });
    const rows = events.map((row) => ({ seq: row.seq, type: row.type, json: eventText(row) }));
    return { rows, rest: next === undefined ? 'none' : 'maybe' };
  }

  view(key: SessionKey): Promise<SessionView | undefined> {
    return readSessionView(this.database, key);
  }
}
