import { ApplicationFailure } from '@temporalio/common';
import type { TokenUsage } from '@everturn/core/domain';
import { chargeRouteTokens, giveUpRouteSlots, takeRouteSlot } from '@everturn/core/postgres';
import type { ClaimKey, Commit, SessionRef } from '../../contract/index.ts';
import { commit } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

type Deps = Pick<ActivityDeps, 'database' | 'projection' | 'llm' | 'log'>;

export interface RouteTurn {
  provider: string;
  claim: ClaimKey;
  input: SessionRef & { commit: Commit };
}

/**
 * Lets a request through when its route's limit allows. Else the activity fails until then: Temporal waits, no worker
 * does, and the operator reads why. What the activity was given to commit is committed before, so that readers see the step.
 */
export async function awaitRouteTurn(deps: Deps, { provider, claim, input }: RouteTurn): Promise<void> {
  const limit = deps.llm.limit(provider);
  if (!limit) return;
  const { tenant } = input;
  const waiter = waiterOf(input, claim);
  const wait = await takeRouteSlot(deps.database, { route: routeOf(provider, limit, tenant), waiter, limit });
  if (wait === 0) return;
  await commit(deps.projection, input);
  throw ApplicationFailure.create({
    message: `the limit of provider "${provider}" is used up; this call's turn comes in ${wait} ms`,
    type: 'ROUTE_LIMITED',
    nonRetryable: false,
    nextRetryDelay: wait,
  });
}

/** Calls that will never be made leave their places to others. */
export async function leaveRoutes(
  { database }: Pick<Deps, 'database'>,
  { claims, ...ref }: SessionRef & { claims: readonly ClaimKey[] },
): Promise<void> {
  if (claims.length > 0)
    await giveUpRouteSlots(
      database,
      claims.map((claim) => waiterOf(ref, claim)),
    );
}

const waiterOf = ({ tenant, session }: SessionRef, claim: ClaimKey): string => JSON.stringify([tenant, session, claim]);

/** Counts what a call used against its route's limit, if that counts tokens. A failure to count costs nobody an answer. */
export async function countTokens(
  deps: Deps,
  { provider, tenant, usage }: { provider: string; tenant: string; usage: TokenUsage | undefined },
): Promise<void> {
  const limit = deps.llm.limit(provider);
  if (limit?.tokensPerMinute === undefined || !usage) return;
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const used = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const route = routeOf(provider, limit, tenant);
  await chargeRouteTokens(deps.database, { route, used, tokensPerMinute: limit.tokensPerMinute }).catch(
    (error: unknown) =>
      deps.log.warn({ err: error, provider }, 'tokens could not be counted against the limit of their route'),
  );
}

const routeOf = (provider: string, { per }: { per: 'deployment' | 'tenant' }, tenant: string): string =>
  per === 'tenant' ? `${provider}/${tenant}` : provider;
