import type { SessionId, TenantId } from '@everturn/core/domain';
import type { SessionView } from '@everturn/core/postgres';
import type { LogRow } from './tail-ring.ts';

/** A session, and the tenant it must belong to. */
export interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** Which rows of a log to read: those above `after`, up to `through`, at most `limit` and about a megabyte. */
export interface LogRange extends SessionKey {
  after: number;
  through?: number;
  limit: number;
  types?: readonly string[];
  chunks?: 'included' | 'left-out';
}

/** Rows in order of seq; `rest` says whether wanted rows may be left in the range. */
export interface LogPage {
  rows: LogRow[];
  rest: 'none' | 'maybe';
}

/** What following needs of the database. */
export interface LogSource {
  /** The highest seq stored, -1 for an empty log. */
  head(key: SessionKey): Promise<number>;
  /** A value per log that changes when its events or the rows beside it do. */
  marks(keys: readonly SessionKey[]): Promise<ReadonlyMap<SessionId, string>>;
  rows(range: LogRange): Promise<LogPage>;
  view(key: SessionKey): Promise<SessionView | undefined>;
}

/** Injection token of the {@link LogSource}. */
export const LOG_SOURCE = Symbol('everturn.log-source');
