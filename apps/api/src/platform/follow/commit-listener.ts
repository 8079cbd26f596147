import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import {
  COMMITTED_CHANNEL,
  fromPayload,
  openNotifications,
  PostgresError,
  type Database,
  type Notifications,
} from '@everturn/core/postgres';
import type { Logger } from 'pino';
import { CONFIG, DATABASE, LOGGER } from '../tokens.ts';
import { LogFollower } from './log-follower.ts';

const CHECK_EVERY_MS = 2_000;
const RETRY_MS = 1_000;

/** Holds the one connection over which this process hears of commits. */
@Injectable()
export class CommitListener implements OnModuleInit, BeforeApplicationShutdown {
  #notifications: Notifications | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(LogFollower) private readonly follower: LogFollower,
  ) {}

  /** Throws `POSTGRES_NOT_DIRECT` and `POSTGRES_OTHER_DATABASE`; a database that is away is waited for in the background. */
  async onModuleInit(): Promise<void> {
    await this.#openOrTryLater();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#notifications?.close();
  }

  async #openOrTryLater(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      if (error instanceof PostgresError) throw error;
      if (!this.#closed) this.#tryLater(error);
    }
  }

  async #open(): Promise<void> {
    const { url, directUrl } = this.config.database;
    const notifications = await openNotifications({
      url: (directUrl ?? url).reveal(),
      channel: COMMITTED_CHANNEL,
      ...(directUrl && { sameAs: this.database }),
      applicationName: 'everturn-api-listen',
      checkEveryMs: CHECK_EVERY_MS,
      onError: (error) => this.logger.warn({ reason: error.message }, 'the connection that announces commits broke'),
    });
    if (this.#closed) return notifications.close();
    notifications.subscribe((payload) => {
      for (const note of fromPayload(payload)) this.follower.announced(note);
    });
    notifications.onReconnect(() => this.follower.reconnected());
    this.#notifications = notifications;
    this.follower.reconnected();
  }

  #tryLater(error: unknown): void {
    this.logger.warn(
      { reason: (error as Error).message },
      'commits are not announced yet: the database does not answer',
    );
    this.#retry = setTimeout(() => void this.#openOrTryLater(), RETRY_MS);
  }
}
