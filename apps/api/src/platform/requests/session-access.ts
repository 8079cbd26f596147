import { Inject, Injectable } from '@nestjs/common';
import { readSession, type Database, type SessionRow } from '@everturn/core/postgres';
import { ApiError, sessionNotFound } from '../errors/api-error.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { DATABASE } from '../tokens.ts';

/** Finds the session a request is about, for the tenant that asks. */
@Injectable()
export class SessionAccess {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws `SESSION_NOT_FOUND`, the same for a session that does not exist and for a foreign one. */
  async find(key: SessionKey): Promise<SessionRow> {
    const row = await readSession(this.database, key);
    if (!row) throw sessionNotFound(key.session);
    return row;
  }

  /** Like {@link find}; refuses a session that takes no messages: `SESSION_CLOSED`, `SESSION_BROKEN`. */
  async findOpen(key: SessionKey): Promise<SessionRow> {
    const row = await this.find(key);
    refuseEnded(row);
    return row;
  }
}

/** Throws when a session takes no messages until it is resumed. */
export function refuseEnded({ id, status }: SessionRow): void {
  const remedy = `POST /v1/sessions/${id}/resume reopens it`;
  if (status === 'closed')
    throw new ApiError({ code: 'SESSION_CLOSED', message: `session "${id}" is closed; ${remedy}` });
  if (status === 'broken')
    throw new ApiError({ code: 'SESSION_BROKEN', message: `session "${id}" is broken; ${remedy}` });
}
