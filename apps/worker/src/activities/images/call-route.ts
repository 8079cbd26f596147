import { lastRoute } from '@everturn/core/postgres';
import type { ModelRoute } from '@everturn/tools/kit';
import type { SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { chooseConfig } from '../assemble/choose-config.ts';

type Deps = Pick<ActivityDeps, 'database' | 'facts' | 'llm' | 'defaultModel'>;

/** The model that will read a call's result: the one that asked for it, else the one the session would ask. */
export async function callRoute(
  deps: Deps,
  { tenant, session }: Pick<SessionRef, 'tenant' | 'session'>,
): Promise<ModelRoute | undefined> {
  const route = (await lastRoute(deps.database, { tenant, session })) ?? (await wouldBe(deps, { tenant, session }));
  if (!route) return undefined;
  const { provider, model } = route;
  if (!deps.llm.providers().some(({ id }) => id === provider)) return undefined; // this worker cannot tell
  return { provider, model, takesImages: deps.llm.takesImages({ provider, model }) };
}

async function wouldBe(deps: Deps, ref: Pick<SessionRef, 'tenant' | 'session'>) {
  const { options } = await deps.facts.read(ref);
  const chosen = await chooseConfig(deps, options, {});
  return chosen.kind === 'chosen' ? chosen.config : undefined;
}
