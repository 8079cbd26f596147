import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { COMMITTED_CHANNEL, toPayloads, type CommittedNote, type Database } from '@everturn/core/postgres';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { DATABASE, LOGGER } from '../tokens.ts';
import type { SessionKey } from './log-source.ts';

/** Tells every API process that rows changed which no commit of a log announces. Does not wait and never fails: readers poll as well. */
@Injectable()
export class Announcer {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rows of a session. */
  announce(key: SessionKey): void {
    this.#notify(key);
  }

  /** Rows of a tenant itself. */
  announceTenant(tenant: TenantId): void {
    this.#notify({ tenant, session: '' });
  }

  #notify(note: CommittedNote): void {
    const [payload] = toPayloads([note]);
    sql`select pg_notify(${COMMITTED_CHANNEL}, ${payload})`.execute(this.database).catch((error: unknown) => {
      this.logger.warn({ err: error, ...note }, 'a change could not be announced');
    });
  }
}
