import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import { SessionId, type TenantId } from '@everturn/core/domain';
import { listSessions, readSessionView, type Database } from '@everturn/core/postgres';
import { z } from 'zod';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { cursorOf, cursorTime } from '../platform/schemas/cursor.ts';
import { sessionState, type SessionState } from '../platform/schemas/session-state.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import type { ListSessions } from './session-requests.ts';

const cursor = cursorOf(z.strictObject({ createdAt: cursorTime, id: SessionId }));
const DEFAULT_LIMIT = 50;

/** Reads sessions from their rows. */
@Injectable()
export class SessionsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(CONFIG) private readonly config: ApiConfig,
  ) {}

  /** A page of sessions, newest first, and the cursor of the next page if there is one. */
  async list(tenant: TenantId, query: ListSessions): Promise<{ sessions: SessionState[]; next: string | null }> {
    const { limit = DEFAULT_LIMIT, status, metadata, parent, createdAfter, createdBefore } = query;
    const after = query.cursor === undefined ? undefined : cursor.read(query.cursor);
    const rows = await listSessions(this.database, {
      tenant,
      limit: limit + 1,
      ...(status && { status }),
      ...(metadata && { metadata }),
      ...(parent && { parent }),
      ...(createdAfter !== undefined && { createdAfter: new Date(createdAfter) }),
      ...(createdBefore !== undefined && { createdBefore: new Date(createdBefore) }),
      ...(after && { after: { createdAt: new Date(after.createdAt), id: after.id } }),
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      sessions: page.map((row) => sessionState({ row, temporal: this.config.temporal })),
      next: last ? cursor.write({ createdAt: last.createdAt.getTime(), id: last.id }) : null,
    };
  }

  /** A session's row, rendered. */
  async state(key: SessionKey): Promise<SessionState> {
    return sessionState({ row: await this.access.find(key), temporal: this.config.temporal });
  }

  /** A session with what waits in it. */
  async details(key: SessionKey) {
    const [state, view] = await Promise.all([this.state(key), readSessionView(this.database, key)]);
    return { ...state, queue: view?.queue ?? [], interactions: view?.interactions ?? [] };
  }
}
