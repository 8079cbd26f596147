import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SessionId, TenantId } from '@everturn/core/domain';
import type { CommittedNote } from '@everturn/core/postgres';
import type { Logger } from 'pino';
import { isDatabaseOutage } from '../errors/from-database.ts';
import { Shutdown } from '../shutdown.ts';
import { LOGGER } from '../tokens.ts';
import { LOG_SOURCE, type LogSource, type SessionKey } from './log-source.ts';
import { SessionTail } from './session-tail.ts';

/** How often logs are looked at although nothing was announced, in ms. */
const POLL_MS = 5_000;

/** Whoever follows all of a tenant; neither may throw. */
export interface Feed {
  tenant: TenantId;
  /** Something was committed to some log, of whichever tenant. */
  committed(): void;
  /** Rows of the tenant itself may have changed. */
  changed(): void;
}

/** The tails of all logs that somebody in this process reads, and the feeds that want to hear of any commit. */
@Injectable()
export class LogFollower implements OnApplicationShutdown {
  readonly #source: LogSource;
  readonly #logger: Logger;
  /** Ids know no `/`. A tail reads as the tenant it was opened for, so nobody is lent another's. */
  readonly #tails = new Map<`${TenantId}/${SessionId}`, SessionTail>();
  readonly #feeds = new Set<Feed>();
  readonly #borrowed = new WeakMap<SessionTail, number>();
  /** What was seen of each log when it was last read as a whole after a poll. */
  readonly #marks = new WeakMap<SessionTail, string>();
  readonly #poll: NodeJS.Timeout;

  constructor(
    @Inject(LOG_SOURCE) source: LogSource,
    @Inject(LOGGER) logger: Logger,
    @Inject(Shutdown) readonly shutdown: Shutdown,
  ) {
    this.#source = source;
    this.#logger = logger;
    this.#poll = setInterval(() => void this.#pollMarks(), POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#poll);
  }

  /** Lends the tail of a log for as long as the work with it lasts. */
  async withTail<T>(key: SessionKey, work: (tail: SessionTail) => Promise<T>): Promise<T> {
    const tail = this.#tails.get(nameOf(key)) ?? this.#open(key);
    this.#borrowed.set(tail, (this.#borrowed.get(tail) ?? 0) + 1);
    try {
      return await work(tail);
    } finally {
      const left = (this.#borrowed.get(tail) ?? 1) - 1;
      this.#borrowed.set(tail, left);
      if (left === 0 && this.#tails.get(nameOf(key)) === tail) this.#tails.delete(nameOf(key));
    }
  }

  /** Calls back after every announcement; the returned function ends that. */
  tell(feed: Feed): () => void {
    this.#feeds.add(feed);
    return () => this.#feeds.delete(feed);
  }

  /** A commit of this log was announced, or a change of the tenant's own rows. */
  announced({ tenant, session }: CommittedNote): void {
    if (session === '') {
      for (const feed of this.#feeds) if (feed.tenant === tenant) feed.changed();
      return;
    }
    void this.#tails.get(nameOf({ tenant, session }))?.refresh();
    for (const feed of this.#feeds) feed.committed();
  }

  /** Announcements may have been missed. */
  reconnected(): void {
    for (const tail of this.#tails.values()) void tail.refresh();
    this.#tellFeeds();
  }

  #open(key: SessionKey): SessionTail {
    const tail = new SessionTail({ key, source: this.#source, onError: (error) => this.#complain(error) });
    this.#tails.set(nameOf(key), tail);
    return tail;
  }

  #tellFeeds(): void {
    for (const feed of this.#feeds) {
      feed.committed();
      feed.changed();
    }
  }

  async #pollMarks(): Promise<void> {
    this.#tellFeeds();
    if (this.#tails.size === 0) return;
    try {
      const marks = await this.#source.marks([...this.#tails.values()].map(({ key }) => key));
      for (const tail of this.#tails.values()) {
        const mark = marks.get(tail.key.session);
        if (this.#marks.get(tail) === mark) continue;
        void this.#refreshTo(tail, mark);
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  /** What could not be read is read at the next poll, although nothing more may happen to the log. */
  async #refreshTo(tail: SessionTail, mark: string | undefined): Promise<void> {
    if ((await tail.refresh()) && mark !== undefined) this.#marks.set(tail, mark);
  }

  #complain(error: unknown): void {
    if (isDatabaseOutage(error)) this.#logger.warn({ reason: (error as Error).message }, 'the log cannot be read now');
    else this.#logger.error({ err: error }, 'reading a log failed');
  }
}

const nameOf = ({ tenant, session }: SessionKey): `${TenantId}/${SessionId}` => `${tenant}/${session}`;
