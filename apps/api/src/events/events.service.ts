import { Inject, Injectable } from '@nestjs/common';
import { eventText, readEventRows, readHead, type Database } from '@everturn/core/postgres';
import type { FastifyReply } from 'fastify';
import type { EventFilter } from '../platform/follow/event-filter.ts';
import { LogFollower } from '../platform/follow/log-follower.ts';
import { LOG_SOURCE, type LogSource, type SessionKey } from '../platform/follow/log-source.ts';
import { SessionFollower } from '../platform/follow/session-follower.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { OpenStreams } from '../platform/sse/open-streams.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { EventsQuery } from './event-requests.ts';
import { seqFrom } from './last-event-id.ts';

const DEFAULT_LIMIT = 200;

interface FollowInput {
  key: SessionKey;
  query: EventsQuery;
  lastEventId: string | string[] | undefined;
  reply: FastifyReply;
}

/** One session's log, by page or as a stream. */
@Injectable()
export class EventsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(LogFollower) private readonly follower: LogFollower,
    @Inject(LOG_SOURCE) private readonly source: LogSource,
    @Inject(OpenStreams) private readonly streams: OpenStreams,
  ) {}

  /** A page as JSON text, since stored events are text already. `next` continues as `after`. */
  async page(key: SessionKey, query: EventsQuery): Promise<string> {
    await this.access.find(key);
    const { after = -1, limit = DEFAULT_LIMIT, types, chunks } = query;
    const head = await readHead(this.database, key);
    const { events, next } = await readEventRows(this.database, {
      ...key,
      from: after + 1,
      limit,
      ...(types && { types }),
      chunks: chunks !== 'false',
    });
    const last = (head?.nextSeq ?? 0) - 1;
    return `{"events":[${events.map(eventText).join(',')}],"next":${next === undefined ? null : next - 1},"head":${last}}`;
  }

  /** Replays what the reader lacks, then follows; refuses before the stream begins, never after. */
  async follow({ key, query, lastEventId, reply }: FollowInput): Promise<void> {
    await this.access.find(key);
    await this.follower.withTail(key, async (tail) => {
      const ring = await tail.ring();
      const after =
        seqFrom(lastEventId, Math.max(ring.head, await this.#freshHead(key, lastEventId))) ?? query.after ?? -1;
      const filter: EventFilter = {
        ...(query.types && { types: query.types }),
        chunks: query.chunks === 'false' ? 'left-out' : 'included',
      };
      const follow = (stream: Parameters<Parameters<OpenStreams['serve']>[0]['follow']>[0]) =>
        new SessionFollower({ tail, source: this.source, stream, after, filter }).run();
      await this.streams.serve({ reply, feed: 'session', follow });
    });
  }

  /** Another process may have served an event that this one has not heard of yet. */
  async #freshHead(key: SessionKey, lastEventId: FollowInput['lastEventId']): Promise<number> {
    return lastEventId === undefined ? -1 : this.source.head(key);
  }
}
