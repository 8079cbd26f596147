import { Inject, Injectable } from '@nestjs/common';
import type { DelegationMode } from '@everturn/core/domain';
import { readSession, type Database, type SessionRow } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
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

  /** Like {@link find}, for what changes a session; refuses an agent, which is its parent's: `AGENT_BUSY`. */
  async findOwn(key: SessionKey): Promise<SessionRow> {
    const row = await this.find(key);
    if (row.header.origin === 'subagent') throw agentBusy(row);
    return row;
  }

  /** The same, but finds an agent that is broken, or whose parent is gone: nobody else could mend or end it. */
  async findOwnOrStranded(key: SessionKey): Promise<SessionRow> {
    const row = await this.find(key);
    if (row.header.origin !== 'subagent' || row.status === 'broken') return row;
    const parent = row.parent && (await readSession(this.database, { ...key, session: row.parent }));
    if (parent && !isEnded(parent)) throw agentBusy(row);
    return row;
  }

  /** Like {@link findOwn}; refuses a session that takes no messages: `SESSION_CLOSED`, `SESSION_BROKEN`. */
  async findOpen(key: SessionKey): Promise<SessionRow> {
    const row = await this.findOwn(key);
    refuseEnded(row);
    return row;
  }
}

/** Whether an agent does one task or stays; nothing of a session that is no agent. */
export const agentMode = ({ options }: Pick<SessionRow, 'options'>): DelegationMode | undefined =>
  (options as SessionOptions).delegation?.mode;

/** Whether a session takes no messages until it is resumed. */
export const isEnded = ({ status }: Pick<SessionRow, 'status'>): boolean => status === 'closed' || status === 'broken';

function agentBusy(row: SessionRow): ApiError {
  const { id, parent } = row;
  const path = `/v1/sessions/${parent}/children/${id}`;
  const remedy =
    agentMode(row) === 'continuable'
      ? `write to it at POST ${path}/prompts, stop its turn at POST ${path}/interrupt`
      : `what runs in it is stopped at POST /v1/sessions/${id}/tree/cancel`;
  return new ApiError({
    code: 'AGENT_BUSY',
    message: `session "${id}" is an agent that works for "${parent}": ${remedy}`,
  });
}

/** Throws when a session takes no messages until it is resumed. */
export function refuseEnded({ id, status }: SessionRow): void {
  const remedy = `POST /v1/sessions/${id}/resume reopens it`;
  if (status === 'closed')
    throw new ApiError({ code: 'SESSION_CLOSED', message: `session "${id}" is closed; ${remedy}` });
  if (status === 'broken')
    throw new ApiError({ code: 'SESSION_BROKEN', message: `session "${id}" is broken; ${remedy}` });
}
