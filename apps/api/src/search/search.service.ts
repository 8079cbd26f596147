import { Inject, Injectable } from '@nestjs/common';
import { SessionQueryError, type SearchHit, type TenantId } from '@everturn/core/domain';
import {
  searchEvents,
  searchSessions,
  type Database,
  type EventFilters,
  type SessionHit,
} from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';
import { ProblemCode } from '../platform/errors/problem.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { SearchEventsQuery, SearchSessionsQuery } from './search-requests.ts';

/** Searches the logs of one tenant. */
@Injectable()
export class SearchService {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** A page of events. */
  async events(tenant: TenantId, query: SearchEventsQuery): Promise<{ hits: SearchHit[]; next: string | null }> {
    const { q, session, fromSeq, toSeq, limit, cursor } = query;
    const { hits, next } = await explained(() =>
      searchEvents(this.database, {
        tenant,
        query: q,
        ...eventFilters(query),
        ...(session !== undefined && { sessions: [session] }),
        ...(fromSeq !== undefined && { seqFrom: fromSeq }),
        ...(toSeq !== undefined && { seqTo: toSeq }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      }),
    );
    return { hits, next: next ?? null };
  }

  /** The best sessions. */
  async sessions(tenant: TenantId, query: SearchSessionsQuery): Promise<{ hits: SessionHit[] }> {
    const { q, workspace, parent, roots, createdAfter, createdBefore, live, limit } = query;
    const hits = await explained(() =>
      searchSessions(this.database, {
        tenant,
        query: q,
        events: eventFilters(query),
        ...(workspace !== undefined && { cwd: workspace }),
        ...(parent !== undefined && { parents: [parent] }),
        ...(roots === 'true' && { roots: true }),
        ...(createdAfter !== undefined && { createdFrom: createdAfter }),
        ...(createdBefore !== undefined && { createdTo: createdBefore }),
        ...(live === 'true' && { availability: ['live'] }),
        ...(limit !== undefined && { limit }),
      }),
    );
    return { hits };
  }
}

function eventFilters({ types, surfaces, after, before }: SearchSessionsQuery | SearchEventsQuery): EventFilters {
  return {
    ...(types && { types }),
    ...(surfaces && { surfaces }),
    ...(after !== undefined && { timeFrom: after }),
    ...(before !== undefined && { timeTo: before }),
  };
}

async function explained<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!(error instanceof SessionQueryError)) throw error;
    throw new ApiError({ code: ProblemCode.parse(error.code), message: error.message, cause: error });
  }
}
