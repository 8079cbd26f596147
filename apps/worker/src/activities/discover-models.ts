import { isLlmError } from '@everturn/core/domain';
import type { DiscoveredModel } from '@everturn/core/protocol';
import type { DiscoveryActivities } from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';

/** Asks a provider which models it serves; what it says goes back to whoever asked. */
export function discoverModelsActivity({ llm }: Pick<ActivityDeps, 'llm'>): DiscoveryActivities['discoverModels'] {
  return ({ tenant, provider }) =>
    failingAs(async () => {
      try {
        const models = await llm.discover(provider, tenant);
        return { kind: 'models', models: models.map((model) => ({ ...model, ...windowOf(llm, model) })) };
      } catch (error) {
        if (!isLlmError(error)) throw error;
        return { kind: 'failure', failure: error.failure };
      }
    });
}

/** Nobody has to say how much a model holds. */
function windowOf(llm: ActivityDeps['llm'], { provider, id }: DiscoveredModel): { contextWindow?: number } {
  try {
    return { contextWindow: llm.context({ provider, model: id }).contextWindow };
  } catch (error) {
    if (isLlmError(error)) return {};
    throw error;
  }
}
