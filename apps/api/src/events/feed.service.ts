import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import {
  eventText,
  FEED_START,
  feedEnd,
  readFeed,
  readTenantMarks,
  type Database,
  type FeedPosition,
  type FeedRow,
} from '@everturn/core/postgres';
import type { FastifyReply } from 'fastify';
import { LogFollower } from '../platform/follow/log-follower.ts';
import { throughOutages } from '../platform/follow/session-follower.ts';
import { Wake } from '../platform/follow/wake.ts';
import { frame } from '../platform/sse/frame.ts';
import { OpenStreams } from '../platform/sse/open-streams.ts';
import type { SseStream } from '../platform/sse/sse-stream.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { FeedQuery } from './event-requests.ts';
import { pauseAfter } from './feed-pace.ts';
import { feedId, positionFrom } from './last-event-id.ts';
import { noticesOf, renderNotices } from './tenant-notices.ts';

const PAGE_ROWS = 200;

interface FollowInput {
  tenant: TenantId;
  query: FeedQuery;
  lastEventId: string | string[] | undefined;
  reply: FastifyReply;
}

/** All sessions of a tenant as one stream, which can be resumed like that of one session. */
@Injectable()
export class FeedService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LogFollower) private readonly follower: LogFollower,
    @Inject(OpenStreams) private readonly streams: OpenStreams,
  ) {}

  async follow({ tenant, query, lastEventId, reply }: FollowInput): Promise<void> {
    const resumed = positionFrom(lastEventId);
    const begin = resumed ?? (query.from === 'start' ? FEED_START : await feedEnd(this.database, tenant));
    await this.streams.serve({ reply, feed: 'tenant', follow: (stream) => this.#run(stream, tenant, query, begin) });
  }

  async #run(stream: SseStream, tenant: TenantId, { types }: FeedQuery, begin: FeedPosition): Promise<void> {
    const wake = new Wake();
    wake.ring();
    let changed = false;
    const ring = () => wake.ring();
    const end = this.follower.tell({
      tenant,
      committed: ring,
      changed: () => {
        changed = true;
        ring();
      },
    });
    void stream.gone.then(ring);
    let after = begin;
    let waited = 0;
    try {
      // Only then is a change of settings one that came while this follower was there.
      let marks = await throughOutages(() => readTenantMarks(this.database, tenant), stream);
      while (stream.open && marks) {
        await wake.next();
        if (changed) {
          changed = false;
          const now = await throughOutages(() => readTenantMarks(this.database, tenant), stream);
          const notices = now ? noticesOf(marks, now) : [];
          marks = now;
          if (notices.length > 0) await stream.write(renderNotices(notices));
        }
        const page = await throughOutages(
          () => readFeed(this.database, { tenant, after, ...(types && { types }), limit: PAGE_ROWS }),
          stream,
        );
        if (!page) break;
        after = page.through;
        const last = page.rows.at(-1);
        if (last) await stream.write(page.rows.map(render).join(''), feedId(position(last)));
        // More may be there, or held back by a transaction that is still open.
        if (page.rest !== 'none') wake.ring();
        waited = pauseAfter(page, waited);
        if (waited > 0) await Promise.race([pause(waited), stream.gone]);
      }
    } finally {
      end();
    }
  }
}

function position({ xact, session_id, seq }: FeedRow): FeedPosition {
  return { xact, session: session_id, seq };
}

function render(row: FeedRow): string {
  const json = `{"session":${JSON.stringify(row.session_id)},"event":${eventText(row)}}`;
  return frame({ id: feedId(position(row)), event: row.type, json });
}
