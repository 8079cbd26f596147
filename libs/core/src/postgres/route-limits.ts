import { sql, type Generated } from 'kysely';
import type { Database } from './database.ts';

/** How far a route's allowance is used up. */
export interface RouteLimitTable {
  route: string;
  next_request_at: Date;
  tokens_until: Date;
}

/** Who has which place in a route's queue. */
export interface RouteWaitTable {
  route: string;
  waiter: string;
  slot_at: Date;
  /** Its waiter has given up: whoever comes next has it. */
  free: Generated<boolean>;
}

/** What a route may be asked in a minute; what is absent is not limited. */
export interface MinuteLimit {
  requestsPerMinute?: number;
  tokensPerMinute?: number;
}

/** Milliseconds until a request may go out; 0: now, and it is counted. Who waits asks again under the same name. */
export async function takeRouteSlot(
  database: Database,
  { route, waiter, limit }: { route: string; waiter: string; limit: MinuteLimit },
): Promise<number> {
  const { requestsPerMinute = null, tokensPerMinute = null } = limit;
  const { rows } = await sql<{ wait: number }>`
    select take_route_slot(${route}, ${waiter}, ${requestsPerMinute}, ${tokensPerMinute}) as wait`.execute(database);
  return rows[0]?.wait ?? 0;
}

/** Counts tokens that were used. */
export async function chargeRouteTokens(
  database: Database,
  { route, used, tokensPerMinute }: { route: string; used: number; tokensPerMinute: number },
): Promise<void> {
  await sql`select charge_route_tokens(${route}, ${used}, ${tokensPerMinute})`.execute(database);
}

/** Leaves the places of these waiters, in whatever queue, to others; names that wait nowhere are none. */
export async function giveUpRouteSlots(database: Database, waiters: readonly string[]): Promise<void> {
  await database.updateTable('route_waits').set({ free: true }).where('waiter', 'in', waiters).execute();
}
