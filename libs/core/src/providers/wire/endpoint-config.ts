import type { ReasoningEffort, TenantId } from '../../domain/index.ts';

/** A key that leaves only here; whatever holds it must not print. */
export interface Revealable {
  reveal(): string;
}

/** A kind of content a model takes. */
export type ModelInput = 'text' | 'image';

/** What is known of one model of a route. */
export interface ModelConfig {
  id: string;
  name?: string;
  contextWindow?: number;
  maxTokens?: number;
  input?: readonly ModelInput[];
}

/** How one endpoint is reached and what its models take, whatever protocol it speaks. */
export interface EndpointConfig {
  /** The provider id of the route. */
  provider: string;
  name: string;
  /** Without the last slash. */
  baseUrl: string;
  /** The variable that says so, for whoever cannot reach it. */
  baseUrlFrom?: string;
  /** The deployment's own key; absent without `credential` = the endpoint wants none. */
  apiKey?: Revealable;
  /** Looks up the key of the tenant that calls, each time anew; asked only where the deployment has none. */
  credential?: (tenant: TenantId | undefined) => Promise<Revealable | undefined>;
  /** What the key is called, for whoever has to set it. */
  credentialRef?: string;
  models: readonly ModelConfig[];
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow?: number;
  /** What every model of the route takes that does not say so itself; default: as its protocol and dialect have it. */
  input?: readonly ModelInput[];
  headers?: Readonly<Record<string, string>>;
  /** What each level is called on the wire; a level that is not listed is refused. */
  reasoningEfforts?: Readonly<Partial<Record<ReasoningEffort, string>>>;
  /** How long the provider may send nothing while we read, in ms. */
  streamIdleTimeoutMs: number;
  /** How long it may send keep-alives only, in ms. */
  streamSilenceLimitMs: number;
  proxy?: { http?: string; https?: string; except?: string };
}
