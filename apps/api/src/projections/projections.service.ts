import { Inject, Injectable } from '@nestjs/common';
import { readProjections, type Database, type SessionProjections } from '@everturn/core/postgres';
import { sessionNotFound } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { DATABASE } from '../platform/tokens.ts';

/** Reads what logs come to. */
@Injectable()
export class ProjectionsService {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Everything of one session, of one moment. */
  async read(key: SessionKey): Promise<SessionProjections> {
    const projections = await readProjections(this.database, key);
    if (!projections) throw sessionNotFound(key.session);
    return projections;
  }
}
