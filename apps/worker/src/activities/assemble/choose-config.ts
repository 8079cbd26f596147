import { isLlmError, type LlmCallConfig, type ModelChoice } from '@everturn/core/domain';
import type { SessionOptions } from '@everturn/core/protocol';
import type { ActivityDeps } from '../activity-deps.ts';

export type ChosenConfig =
  | { kind: 'chosen'; config: LlmCallConfig }
  | { kind: 'refused'; code: string; message: string };

/** Which model a session's next request goes to: the one chosen while it lived, else the given one, else what its options say, else the deployment's. */
export async function chooseConfig(
  { llm, defaultModel }: Pick<ActivityDeps, 'llm' | 'defaultModel'>,
  options: SessionOptions,
  { config: given, model }: { config?: LlmCallConfig; model?: ModelChoice },
): Promise<ChosenConfig> {
  try {
    const usual = given ?? (await fromOptions({ llm, defaultModel }, options, model));
    const config = usual && { ...usual, ...model };
    if (!config) return refused('NO_ADAPTER', 'no model is configured; set OPENAI_BASE_URL or a provider key');
    llm.owner(config.provider);
    return { kind: 'chosen', config };
  } catch (error) {
    if (!isLlmError(error)) throw error;
    return refused(error.failure.code, error.failure.message);
  }
}

async function fromOptions(
  { llm, defaultModel }: Pick<ActivityDeps, 'llm' | 'defaultModel'>,
  options: SessionOptions,
  model: ModelChoice | undefined,
): Promise<LlmCallConfig | undefined> {
  const { temperature, maxTokens, stop, reasoningEffort } = options;
  // Whoever chose need not have the usual one.
  const route = model ?? (await routeOf({ llm, defaultModel }, options));
  return (
    route && {
      ...route,
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(stop && stop.length > 0 && { stop }),
      ...(reasoningEffort && { reasoningEffort }),
    }
  );
}

async function routeOf(
  { llm, defaultModel }: Pick<ActivityDeps, 'llm' | 'defaultModel'>,
  { provider, model }: SessionOptions,
): Promise<{ provider: string; model: string } | undefined> {
  if (provider !== undefined && model !== undefined) return { provider, model };
  if (provider === undefined) {
    const usual = await defaultModel();
    return usual && { ...usual, ...(model !== undefined && { model }) };
  }
  const first = llm.models(provider)[0] ?? (await llm.discover(provider))[0];
  return first && { provider, model: first.id };
}

const refused = (code: string, message: string): ChosenConfig => ({ kind: 'refused', code, message });
