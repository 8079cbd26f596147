import type { SessionId } from '@everturn/core/domain';
import { FEED_START, type FeedPosition } from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';

type Header = string | string[] | undefined;

/** The seq a reader of one session has; throws `INVALID_LAST_EVENT_ID`. `head` is the highest seq there is. */
export function seqFrom(header: Header, head: number): number | undefined {
  if (header === undefined || header === '') return undefined;
  if (typeof header !== 'string' || !/^\d{1,16}$/.test(header))
    throw refusal('must be the seq of an event: digits only');
  const seq = Number(header);
  if (seq > head) throw refusal(`is ${seq}, but the log ends at ${head}`);
  return seq;
}

/** The place a reader of the feed has; throws `INVALID_LAST_EVENT_ID`. */
export function positionFrom(header: Header): FeedPosition | undefined {
  if (header === undefined || header === '') return undefined;
  if (header === '0') return FEED_START;
  const pattern = /^(\d{1,19})\.(\d{1,16})\.([A-Za-z0-9._-]{1,128})$/;
  const [, xact, seq, session] = (typeof header === 'string' ? pattern.exec(header) : null) ?? [];
  if (xact === undefined) throw refusal('must be an id of this feed, as it was sent');
  return { xact, seq: Number(seq), session: session as SessionId };
}

/** The id under which an event of the feed is sent. */
export function feedId({ xact, seq, session }: FeedPosition): string {
  return `${xact}.${seq}.${session}`;
}

function refusal(what: string): ApiError {
  const field = 'header.last-event-id';
  return new ApiError({
    code: 'INVALID_LAST_EVENT_ID',
    message: `${field}: ${what}`,
    issues: [{ field, message: what }],
  });
}
