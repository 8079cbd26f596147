import type { SearchHit } from '@everturn/core/domain';
import type { SeenSession } from '../session-query-port.ts';

/** Most hits of one call. */
export const MOST_HITS = 100;
/** Told when there may be more. */
export const CAPPED = 'Result cap reached. Narrow the query or add filters to find additional matches.';

/** A moment as models read it. */
export const moment = (time: number): string => new Date(time).toISOString();

/** A title, or what stands for none. */
export const titleOf = (title: string): string => title || 'untitled';

/** Every session is stored; one that could take a message is live as well. */
export const availability = ({ live }: { live: boolean }): string => (live ? 'live, persisted' : 'persisted');

/** Where a hit stands. */
export const placeOf = ({ seq, type, surface, time }: SearchHit): string =>
  `seq ${seq} | ${type} | ${surface} | ${moment(time)}`;

/** A session in a list, or the mark of one that may not be named. */
export function seenText(seen: SeenSession, mark: string): string {
  return seen.kind === 'outside' ? mark : `${seen.session} — ${titleOf(seen.title)}`;
}
