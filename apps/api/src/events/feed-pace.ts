import type { FeedPage } from '@everturn/core/postgres';

/** Commits of a tenant come in bursts; one read serves all that happen within this time, in ms. */
const GATHER_MS = 25;
/** As seldom as it is looked whether a transaction that holds events back has ended; nothing announces that. */
const LONGEST_MS = 400;

/** How long a follower waits after a page, given how long it waited before it, in ms. */
export function pauseAfter({ rows, rest }: Pick<FeedPage, 'rows' | 'rest'>, before: number): number {
  if (rest === 'maybe') return 0;
  return rest === 'waiting' && rows.length === 0 ? Math.min(Math.max(before, GATHER_MS) * 2, LONGEST_MS) : GATHER_MS;
}
