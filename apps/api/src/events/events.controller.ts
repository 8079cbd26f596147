import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { EventsQuery, FeedQuery } from './event-requests.ts';
import { EventsService } from './events.service.ts';
import { FeedService } from './feed.service.ts';

const Event = z.looseObject({ type: z.string(), seq: z.int(), time: z.int(), data: z.unknown() }).meta({ id: 'Event' });
const EventPage = z.strictObject({ events: z.array(Event), next: z.int().nullable(), head: z.int() });

const lastEventId = { name: 'Last-Event-ID', description: 'the id of the last event the reader has' };

/** What happened, by page or as it happens. */
@Controller('v1')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly feed: FeedService,
  ) {}

  @Get('sessions/:id/events')
  @Describe({
    summary:
      'Events of a session: a page as JSON, or with Accept: text/event-stream everything from a seq on and then live',
    description:
      'In a stream the id of an event is its seq. Frames without an id (agent/status, queue, interactions, …) say how the ' +
      'session stands now; they are no events and are not replayed. stream/end tells why the server ends a stream; ' +
      'reconnect with the last id.',
    headers: [lastEventId],
    answers: {
      200: {
        description: 'events in order of seq; `next` continues as `after`, `head` is the newest seq',
        schema: EventPage,
        alternative: { mediaType: 'text/event-stream', description: 'server-sent events' },
      },
    },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST', 'INVALID_LAST_EVENT_ID'],
  })
  async session(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(EventsQuery) query: EventsQuery,
    @Headers() headers: Record<string, string | undefined>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = { tenant, session: id };
    if (wantsStream(headers)) return this.events.follow({ key, query, lastEventId: headers['last-event-id'], reply });
    const page = await this.events.page(key, query);
    void reply.type('application/json; charset=utf-8').send(page);
  }

  @Get('events')
  @Describe({
    summary: 'Follow all sessions of the tenant',
    description:
      'A stream of {session, event} without assistant/chunk, in the order in which transactions wrote them; within a ' +
      'session that is the order of seq. Ids are opaque and resume without gap or repetition. Only a rebuilt log is ' +
      'sent again; session and seq tell. Frames without an id say that settings (settings/updated) or stored keys ' +
      '(credentials/reference-updated) of the tenant changed; they are not sent again, so read those when you connect.',
    headers: [lastEventId],
    answers: {
      200: {
        description: 'a stream',
        alternative: { mediaType: 'text/event-stream', description: 'server-sent events' },
      },
    },
    refusals: ['INVALID_REQUEST', 'INVALID_LAST_EVENT_ID'],
  })
  tenant(
    @CallerTenant() tenant: TenantId,
    @QueryString(FeedQuery) query: FeedQuery,
    @Headers() headers: Record<string, string | undefined>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.feed.follow({ tenant, query, lastEventId: headers['last-event-id'], reply });
  }
}

function wantsStream({ accept }: Record<string, string | undefined>): boolean {
  return (accept ?? '').split(',').some((range) => range.trim().toLowerCase().startsWith('text/event-stream'));
}
