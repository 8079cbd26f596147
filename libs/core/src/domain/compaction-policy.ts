/** What a deployment may say of compaction, for all models or for one. */
export interface CompactionOverrides {
  auto?: boolean | undefined;
  thresholdRatio?: number | undefined;
  retainRatio?: number | undefined;
  /** In place of `retainRatio`. */
  retainTokens?: number | undefined;
  maxTokens?: number | undefined;
  compactionRetries?: number | undefined;
  maxOverflowRetries?: number | undefined;
  summarization?: { provider: string; model: string } | undefined;
}

/** When and how histories are shortened; `modelPolicies` hold for exactly one model each. */
export interface CompactionConfig extends CompactionOverrides {
  modelPolicies?: readonly (CompactionOverrides & { provider: string; model: string })[] | undefined;
}

/** What holds for one model. */
export interface CompactionPolicy {
  auto: boolean;
  thresholdRatio: number;
  /** What of the newest stays as it is: a part of the window, or a number of tokens. */
  retain: { ratio: number } | { tokens: number };
  /** The most a summary may be. */
  maxTokens: number;
  /** Further summaries while the history stays above the threshold. */
  compactionRetries: number;
  maxOverflowRetries: number;
  /** Who writes summaries, if not the session's own model. */
  summarization?: { provider: string; model: string };
}

/** The policy of a model. */
export function compactionPolicy(
  config: CompactionConfig,
  route: { provider: string; model: string },
): CompactionPolicy {
  const own = config.modelPolicies?.find(({ provider, model }) => provider === route.provider && model === route.model);
  const said = <K extends keyof CompactionOverrides>(key: K): CompactionOverrides[K] => own?.[key] ?? config[key];
  const summarization = said('summarization');
  return {
    auto: said('auto') ?? true,
    thresholdRatio: said('thresholdRatio') ?? 0.8,
    retain: (own && retainOf(own)) ?? retainOf(config) ?? { ratio: 0.16 },
    maxTokens: said('maxTokens') ?? 8_192,
    compactionRetries: said('compactionRetries') ?? 1,
    maxOverflowRetries: said('maxOverflowRetries') ?? 1,
    ...(summarization && { summarization }),
  };
}

function retainOf({ retainTokens, retainRatio }: CompactionOverrides): CompactionPolicy['retain'] | undefined {
  if (retainTokens !== undefined) return { tokens: retainTokens };
  return retainRatio === undefined ? undefined : { ratio: retainRatio };
}

/** From how many tokens on a history is to be shortened. */
export const thresholdTokens = ({ thresholdRatio }: CompactionPolicy, contextWindow: number): number =>
  Math.floor(contextWindow * thresholdRatio);

/** How many tokens of the newest stay as they are; below the threshold in windows of any size. */
export function retainedTokens(policy: CompactionPolicy, contextWindow: number): number {
  const { retain } = policy;
  const wanted = 'tokens' in retain ? retain.tokens : Math.floor(contextWindow * retain.ratio);
  return Math.min(wanted, thresholdTokens(policy, contextWindow) - 1);
}
