import { judgeModelWish, refuseRoute } from '@everturn/core/domain';
import type { PrepareChildInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { SessionFacts } from '../context/session-facts.ts';

const EFFORTS = ['off', 'low', 'medium', 'high', 'max'];

/** Why a child cannot have the model it is to have, if it cannot; a model that is only inherited is not judged. */
export function refuseModel(
  { llm }: Pick<ActivityDeps, 'llm'>,
  { row, wish = {}, route = {}, config }: Pick<PrepareChildInput, 'row' | 'wish' | 'route' | 'config'>,
  { options: { subagentModels: allowed } }: Pick<SessionFacts, 'options'>,
): string | undefined {
  const providers = llm.providers().map(({ id }) => id);
  const refused = judgeModelWish({ wish, enabled: row.modelSelection, allowed, providers, efforts: EFFORTS });
  if (refused !== undefined) return refused;
  const { provider, model } = route;
  if (provider !== undefined && !providers.includes(provider))
    return `provider "${provider}" is not registered; registered: ${providers.join(', ') || '(none)'}`;
  if (!allowed || model === undefined) return undefined;
  return refuseRoute({ provider: provider ?? config.provider, model }, allowed);
}

/** What the row, a script and the caller's model say of the child's model; another route has not the effort of the row's. */
export function agentOptions({ row, wish, route }: Pick<PrepareChildInput, 'row' | 'wish' | 'route'>): {
  provider?: string | undefined;
  model?: string | undefined;
  reasoningEffort?: string | undefined;
  maxTokens?: number | undefined;
} {
  const { reasoningEffort: usual, ...configured } = row.agentOptions ?? {};
  const asked = { ...route, ...wish };
  const elsewhere = asked.provider !== undefined || asked.model !== undefined;
  return { ...configured, reasoningEffort: elsewhere ? undefined : usual, ...asked };
}
