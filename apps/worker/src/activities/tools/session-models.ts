import type { ModelsPort } from '@everturn/tools/kit';
import type { SessionRef } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** The models a session may give the agents it starts, as this worker knows them. */
export function sessionModels(
  { facts, llm }: Pick<ActivityDeps, 'facts' | 'llm'>,
  ref: Pick<SessionRef, 'tenant' | 'session'>,
): ModelsPort {
  return {
    allowed: async () => (await facts.read(ref)).options.subagentModels,
    providers: () => llm.providers(),
    advertised: async (provider) => llm.models(provider),
    efforts: (provider) => llm.efforts(provider),
  };
}
