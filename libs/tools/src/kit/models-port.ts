import type { LlmModelInfo, LlmProviderInfo, ModelRoute, ReasoningEffort } from '@everturn/core/domain';

/** The models a session may give the agents it starts. */
export interface ModelsPort {
  /** What the session's policy allows; `undefined` where it has none. */
  allowed(): Promise<readonly ModelRoute[] | undefined>;
  /** The providers there are. */
  providers(): readonly LlmProviderInfo[];
  /** What a provider says of its models, which may be less than it serves. */
  advertised(provider: string): Promise<readonly LlmModelInfo[]>;
  /** How much models of a provider can be asked to think. */
  efforts(provider: string): readonly ReasoningEffort[];
}
