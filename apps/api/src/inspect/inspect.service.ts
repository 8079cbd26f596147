import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  answerInspectQuery,
  offerInspection,
  openInspectQueries,
  touchInspectClient,
  withdrawInspection,
  type Database,
} from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { Shutdown } from '../platform/shutdown.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { AnswerBody, OfferBody, OpenQueries } from './inspect-shapes.ts';

const LOOK_EVERY_MS = 200;

type ClientKey = SessionKey & { client: string };

/** Stands between pages and the tools that ask them. */
@Injectable()
export class InspectService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
  ) {}

  async offer(key: ClientKey, { providers }: OfferBody): Promise<void> {
    refuseEnded(await this.access.find(key));
    await offerInspection(this.database, { ...key, providers });
  }

  async withdraw(key: ClientKey): Promise<void> {
    await this.access.find(key);
    await withdrawInspection(this.database, key);
  }

  /** Answers as soon as there is a question, at the latest when the time is over or this process ends. */
  async queries(key: ClientKey, waitMs: number): Promise<OpenQueries> {
    const until = performance.now() + waitMs;
    const { providers } = await this.#client(key);
    for (;;) {
      const queries = await openInspectQueries(this.database, { ...key, providers });
      if (queries.length > 0 || performance.now() >= until || this.shutdown.begun) return { queries };
      await pause(LOOK_EVERY_MS);
    }
  }

  async answer(key: ClientKey, id: string, answer: AnswerBody): Promise<void> {
    await this.#client(key);
    if (await answerInspectQuery(this.database, { ...key, id, answer })) return;
    throw new ApiError({
      code: 'INSPECT_QUERY_NOT_FOUND',
      message: `no question "${id}" waits for an answer of "${key.client}"`,
    });
  }

  async #client(key: ClientKey) {
    await this.access.find(key);
    const client = await touchInspectClient(this.database, key);
    if (client) return client;
    throw new ApiError({
      code: 'INSPECT_CLIENT_NOT_FOUND',
      message: `"${key.client}" offers nothing; PUT what it offers, and again a minute after it was last heard of`,
    });
  }
}
