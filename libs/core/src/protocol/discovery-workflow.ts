import type { LlmFailure, LlmModelInfo, TenantId } from '../domain/index.ts';

/** Type of the workflow that asks a provider which models it serves now. */
export const DISCOVER_MODELS_WORKFLOW = 'discoverModelsWorkflow';

/** The workflow of one such question. */
export const discoverModelsWorkflowId = (tenant: TenantId, provider: string, request: string): string =>
  `llm:${tenant}/${provider}/${request}`;

export interface DiscoverModelsInput {
  tenant: TenantId;
  provider: string;
}

/** A model as its provider names it; `contextWindow` where somebody says. */
export interface DiscoveredModel extends LlmModelInfo {
  contextWindow?: number;
}

/** What came of asking; a provider that fails is a value. */
export type DiscoverModelsResult =
  | { kind: 'models'; models: DiscoveredModel[] }
  | { kind: 'failure'; failure: LlmFailure };
