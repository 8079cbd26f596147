import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import { openDatabase, type Database } from '@everturn/core/postgres';
import type { Logger } from 'pino';
import { Announcer } from './follow/announcer.ts';
import { CommitListener } from './follow/commit-listener.ts';
import { DatabaseLogSource } from './follow/database-log-source.ts';
import { LogFollower } from './follow/log-follower.ts';
import { LOG_SOURCE } from './follow/log-source.ts';
import { CONFIG, DATABASE, LOGGER } from './tokens.ts';

/** Callers are told within this time that the database is away, in ms. */
const QUERY_TIMEOUT_MS = 5_000;

/** The database, and whoever follows what is committed to it. */
@Global()
@Module({
  providers: [
    {
      provide: DATABASE,
      inject: [CONFIG, LOGGER],
      useFactory: (config: ApiConfig, logger: Logger): Database =>
        openDatabase(config.database.url.reveal(), {
          applicationName: 'everturn-api',
          queryTimeoutMs: QUERY_TIMEOUT_MS,
          onConnectionError: (error) => logger.warn({ reason: error.message }, 'a database connection broke'),
        }),
    },
    { provide: LOG_SOURCE, useClass: DatabaseLogSource },
    LogFollower,
    CommitListener,
    Announcer,
  ],
  exports: [DATABASE, LOG_SOURCE, LogFollower, Announcer],
})
export class PostgresModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.destroy();
  }
}
