import { costOf, isLlmError, LlmError } from '../domain/index.ts';
import type {
  GenerateOptions,
  LlmFailureCode,
  LlmModelContext,
  LlmModelInfo,
  LlmProviderInfo,
  ModelPrice,
  ReasoningEffort,
  StreamChunk,
  TenantId,
} from '../domain/index.ts';
import { errorText } from './error-text.ts';
import { checkGrammar } from './grammar.ts';
import type { LlmAdapter } from './llm-adapter.ts';
import { ownReplayState, showOwnReplayState } from './replay-state.ts';

/** An adapter under the name sessions ask for; `digest` stands for its configuration without the key. */
export interface LlmRoute {
  provider: LlmProviderInfo;
  adapter: LlmAdapter;
  digest: string;
  /** What a model costs, where the deployment says so. */
  price?: (model: string) => ModelPrice | undefined;
  /** How much all workers together may ask of it. */
  limit?: RouteLimit;
  /** What its key is called where tenants may store it, and where it comes from. */
  credential?: RouteCredential;
}

/** Whose key a route uses: the deployment's, or the one each tenant stores under this name. */
export interface RouteCredential {
  ref: string;
  source: 'environment' | 'stored';
}

/** How much a provider may be asked; what is absent is not limited. */
export interface RouteLimit {
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  /** Whose key is used has the allowance. */
  per: 'deployment' | 'tenant';
}

/** Which adapter answers for which provider; the one way to a model. All its errors are `LlmError`. */
export class LlmRegistry {
  readonly #routes = new Map<string, LlmRoute>();

  /** Adds a route and returns how to take it away; throws `DUPLICATE_ADAPTER` or `INVALID_ADAPTER`. */
  register(route: LlmRoute): () => void {
    const id = route.provider.id;
    const complete = id && route.provider.name && route.digest && route.adapter.id && route.adapter.stream;
    if (!complete) throw refusal('INVALID_ADAPTER', `provider "${id}" needs an id, a name, a digest and an adapter`);
    if (this.#routes.has(id)) throw refusal('DUPLICATE_ADAPTER', `provider "${id}" is registered twice`);
    this.#routes.set(id, route);
    return () => {
      if (this.#routes.get(id) === route) this.#routes.delete(id);
    };
  }

  /** This one with more routes; a name it has already keeps its route. */
  with(more: readonly LlmRoute[]): LlmRegistry {
    const all = new LlmRegistry();
    for (const route of [...this.#routes.values(), ...more])
      if (!all.#routes.has(route.provider.id)) all.register(route);
    return all;
  }

  /** Every provider, in order of registration. */
  providers(): LlmProviderInfo[] {
    return [...this.#routes.values()].map((route) => route.provider);
  }

  /** A provider's advisory catalogue; throws `NO_ADAPTER` or `INVALID_CATALOG`. */
  models(provider: string): LlmModelInfo[] {
    const models = [...this.#route(provider).adapter.models()];
    const ids = models.map((model) => model.id);
    const sound = models.every((model) => model.id && model.name && model.provider === provider);
    if (sound && new Set(ids).size === ids.length) return models;
    throw refusal(
      'INVALID_CATALOG',
      `the models of provider "${provider}" must have distinct ids, names and that provider`,
    );
  }

  /** What a model can hold; throws `NO_ADAPTER`, `UNKNOWN_MODEL` when nobody knows, `INVALID_MODEL_CONTEXT`. */
  context(input: { provider: string; model: string }): LlmModelContext {
    const context = this.#route(input.provider).adapter.context(input.model);
    const model = `model "${input.model}" of provider "${input.provider}"`;
    if (!context) throw refusal('UNKNOWN_MODEL', `the context window of ${model} is unknown; configure it`);
    if (Number.isSafeInteger(context.contextWindow) && context.contextWindow > 0) return context;
    throw refusal('INVALID_MODEL_CONTEXT', `the context window of ${model} must be a positive whole number of tokens`);
  }

  /** Whether a model takes pictures; throws `NO_ADAPTER`. */
  takesImages({ provider, model }: { provider: string; model: string }): boolean {
    return this.#route(provider).adapter.input?.(model).includes('image') ?? false;
  }

  /** How much all workers together may ask of a provider; absent: as much as they like. */
  limit(provider: string): RouteLimit | undefined {
    return this.#routes.get(provider)?.limit;
  }

  /** Asks a provider which models it serves; its catalogue when it cannot be asked. Throws `LlmError`. */
  async discover(provider: string, tenant?: TenantId): Promise<LlmModelInfo[]> {
    const { adapter } = this.#route(provider);
    return adapter.discover ? adapter.discover(tenant) : this.models(provider);
  }

  /** The kind of adapter that speaks to a provider; throws `NO_ADAPTER`. */
  protocol(provider: string): string {
    return this.#route(provider).adapter.id;
  }

  /** What a provider's key is called, where it may be stored; throws `NO_ADAPTER`. */
  credential(provider: string): RouteCredential | undefined {
    return this.#route(provider).credential;
  }

  /** The levels of thinking a provider can be asked for; throws `NO_ADAPTER`. */
  efforts(provider: string): ReasoningEffort[] {
    return this.#route(provider).adapter.efforts?.() ?? [];
  }

  /** What a model costs, if anybody says; throws `NO_ADAPTER`. */
  price({ provider, model }: { provider: string; model: string }): ModelPrice | undefined {
    return this.#route(provider).price?.(model);
  }

  /** Names the configuration behind a provider: adapter id and digest. Throws `NO_ADAPTER`. */
  owner(provider: string): string {
    const route = this.#route(provider);
    return `${route.adapter.id}:${route.digest}`;
  }

  /** One attempt at a model; whatever goes wrong is thrown as `LlmError` or given as `finish{error|aborted}`. */
  async *stream(options: GenerateOptions): AsyncGenerator<StreamChunk> {
    const route = this.#route(options.provider);
    const owner = this.owner(options.provider);
    try {
      const own = { ...options, messages: showOwnReplayState(owner, options.messages) };
      for await (const chunk of checkGrammar(route.adapter.stream(own))) {
        if (chunk.type === 'finish') yield marked(owner, chunk);
        else if (chunk.type === 'usage') yield priced(chunk, route.price?.(options.model));
        else yield chunk;
      }
    } catch (error) {
      if (isLlmError(error)) throw error;
      throw new LlmError({ code: 'UNKNOWN', message: errorText(error) }, { cause: error });
    }
  }

  #route(provider: string): LlmRoute {
    const route = this.#routes.get(provider);
    if (route) return route;
    const known = [...this.#routes.keys()].join(', ') || 'none';
    throw refusal('NO_ADAPTER', `no provider "${provider}" is configured; configured: ${known}`);
  }
}

function marked(owner: string, finish: Extract<StreamChunk, { type: 'finish' }>): StreamChunk {
  if (finish.replayState === undefined) return finish;
  return { ...finish, replayState: ownReplayState(owner, finish.replayState) };
}

function priced(chunk: Extract<StreamChunk, { type: 'usage' }>, price: ModelPrice | undefined): StreamChunk {
  return price ? { ...chunk, usage: { ...chunk.usage, costUsd: costOf(chunk.usage, price) } } : chunk;
}

function refusal(code: LlmFailureCode, message: string): LlmError {
  return new LlmError({ code, message });
}
