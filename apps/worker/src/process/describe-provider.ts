import { isLlmError, type LlmModelInfo, type LlmProviderInfo } from '@everturn/core/domain';
import type { HostDetails } from '@everturn/core/postgres';
import type { LlmRegistry } from '@everturn/core/providers';

type Provider = HostDetails['providers'][number];

/** What clients are shown of a route: its models and what they hold, take and cost; no addresses and no keys. */
export function describeProvider(llm: LlmRegistry, { id, name }: LlmProviderInfo): Provider {
  const models = listed(llm, id);
  const seeing = (model: string) => llm.takesImages({ provider: id, model });
  const credential = llm.credential(id);
  return {
    id,
    name,
    models: models.map((model) => model.id),
    unlisted: 'passed-through',
    pictures: { listed: models.map((model) => model.id).filter(seeing), unlisted: seeing('') },
    protocol: llm.protocol(id),
    reasoningEfforts: llm.efforts(id),
    ...(credential && { credential }),
    catalogue: models.map((model) => {
      const route = { provider: id, model: model.id };
      const price = llm.price(route);
      return {
        id: model.id,
        name: model.name,
        input: llm.takesImages(route) ? ['text', 'image'] : ['text'],
        ...windowOf(llm, route),
        ...(price && { price }),
      };
    }),
  };
}

/** A plugin's list may be broken; what it names is passed through all the same. */
function listed(llm: LlmRegistry, provider: string): LlmModelInfo[] {
  try {
    return llm.models(provider);
  } catch {
    return [];
  }
}

function windowOf(llm: LlmRegistry, route: { provider: string; model: string }): { contextWindow?: number } {
  try {
    return { contextWindow: llm.context(route).contextWindow };
  } catch (error) {
    if (isLlmError(error)) return {}; // nobody says
    throw error;
  }
}
