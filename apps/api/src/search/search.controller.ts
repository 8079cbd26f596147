import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { QueryString } from '../platform/http/request-parts.ts';
import { Hit, SearchEventsQuery, SearchSessionsQuery, SessionHit } from './search-requests.ts';
import { SearchService } from './search.service.ts';

const Hits = z.strictObject({ hits: z.array(Hit), next: z.string().nullable() });
const SessionHits = z.strictObject({ hits: z.array(SessionHit) });

/** Finds what was said and done, in all sessions of the tenant. */
@Controller('v1/search')
export class SearchController {
  constructor(private readonly search: SearchService) {}

  @Get()
  @Describe({
    summary: 'Events that hold a phrase',
    description:
      'More places first, then shorter events, then newer ones. What was said, called and answered is searched.',
    answers: {
      200: { description: '`next` continues as `cursor`, over what was there at the first page', schema: Hits },
    },
    refusals: [
      'INVALID_REQUEST',
      'SESSION_QUERY_INVALID_QUERY',
      'SESSION_QUERY_INVALID_CURSOR',
      'SESSION_QUERY_STALE_CURSOR',
    ],
  })
  events(@CallerTenant() tenant: TenantId, @QueryString(SearchEventsQuery) query: SearchEventsQuery) {
    return this.search.events(tenant, query);
  }

  @Get('sessions')
  @Describe({
    summary: 'Sessions that hold a phrase, the one with the best event first',
    answers: { 200: { description: 'each with its best event', schema: SessionHits } },
    refusals: ['INVALID_REQUEST', 'SESSION_QUERY_INVALID_QUERY', 'SESSION_QUERY_INVALID_FILTER'],
  })
  sessions(@CallerTenant() tenant: TenantId, @QueryString(SearchSessionsQuery) query: SearchSessionsQuery) {
    return this.search.sessions(tenant, query);
  }
}
