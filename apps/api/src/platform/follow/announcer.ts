import { Inject, Injectable } from '@nestjs/common';
import { COMMITTED_CHANNEL, toPayloads, type Database } from '@everturn/core/postgres';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { DATABASE, LOGGER } from '../tokens.ts';
import type { SessionKey } from './log-source.ts';

/** Tells every API process that rows of a session changed which no commit of its log announces. */
@Injectable()
export class Announcer {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Does not wait and never fails: readers poll as well. */
  announce(key: SessionKey): void {
    const [payload] = toPayloads([key]);
    sql`select pg_notify(${COMMITTED_CHANNEL}, ${payload})`.execute(this.database).catch((error: unknown) => {
      this.logger.warn({ error, session: key.session }, 'a change could not be announced');
    });
  }
}
