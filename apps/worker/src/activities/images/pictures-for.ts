import type { GenerateOptions, LlmCallConfig, Message, TenantId } from '@everturn/core/domain';
import type { ActivityDeps } from '../activity-deps.ts';
import { untilItWorks } from '../effects/retry.ts';

export interface PicturesInput {
  tenant: TenantId;
  config: Pick<LlmCallConfig, 'provider' | 'model'>;
  messages: readonly Message[];
  signal: AbortSignal;
}

/** The pictures of a request, where its model takes any. */
export async function picturesFor(
  { llm, pictures }: Pick<ActivityDeps, 'llm' | 'pictures'>,
  { tenant, config: { provider, model }, messages, signal }: PicturesInput,
): Promise<GenerateOptions['attachments'] | undefined> {
  const known = llm.providers().some(({ id }) => id === provider);
  if (!known || !llm.takesImages({ provider, model })) return undefined;
  const shown = await untilItWorks({ attempt: () => pictures.of(tenant, messages), giveUp: () => signal.aborted });
  return shown.size > 0 ? shown : undefined;
}
