import { EnvHttpProxyAgent } from 'undici';
import type { SearchAnswer, SearchRequest, WebPage, WebPort } from '../../kit/index.ts';
import { AddressGuard } from './address-guard.ts';
import { FETCH_LIMITS, fetchPage, type FetchLimits } from './fetch-page.ts';
import type { ResolveName } from './guarded-agent.ts';
import { assertDistinct, chooseProvider } from './search/choose-provider.ts';
import { deepseek } from './search/deepseek.ts';
import { exa } from './search/exa.ts';
import type { Credential } from './search/keyed-provider.ts';
import { perplexity } from './search/perplexity.ts';
import type { SearchProvider } from './search/search-provider.ts';
import { searxng } from './search/searxng.ts';

/** A provider with a key, and where it is. */
export interface KeyedWebProvider {
  baseUrl: string;
  apiKey?: Credential;
}

/** What a deployment says about the web. */
export interface WebSettings {
  /** Addresses and CIDR ranges `web_fetch` may reach although they are not public. */
  allowAddresses?: readonly string[];
  /** Id of the search provider; absent: the only one that is set up. */
  searchProvider?: string;
  searxngUrl?: string;
  deepseek?: KeyedWebProvider;
  exa?: KeyedWebProvider;
  perplexity?: KeyedWebProvider;
  /** For search providers only; fetching goes through no proxy. */
  proxy?: { http?: string; https?: string; except?: string };
}

export interface OpenLocalWebInput extends WebSettings {
  limits?: Partial<FetchLimits>;
  /** Takes the place of the system's resolver for fetching. */
  resolve?: ResolveName;
}

/** The web from this machine. Throws for an address range that is none. */
export class LocalWeb implements WebPort {
  readonly #guard: AddressGuard;
  readonly #limits: FetchLimits;
  readonly #resolve: ResolveName | undefined;
  readonly #providers: readonly SearchProvider[];
  readonly #configured: string | undefined;

  constructor(input: OpenLocalWebInput = {}) {
    this.#guard = new AddressGuard(input.allowAddresses);
    this.#limits = { ...FETCH_LIMITS, ...input.limits };
    this.#resolve = input.resolve;
    this.#configured = input.searchProvider;
    this.#providers = providersOf(input);
    assertDistinct(this.#providers);
  }

  async fetch({ url, signal }: { url: string; signal: AbortSignal }): Promise<WebPage> {
    return fetchPage({ url, signal, guard: this.#guard, limits: this.#limits, resolve: this.#resolve });
  }

  announce(query: string): SearchRequest | undefined {
    try {
      return chooseProvider(this.#providers, this.#configured).announce?.(query);
    } catch {
      return undefined; // nobody is asked: `search` says why
    }
  }

  async search(query: { query: string; maxResults: number; signal: AbortSignal }): Promise<SearchAnswer> {
    return chooseProvider(this.#providers, this.#configured).search(query);
  }
}

function providersOf({ proxy, ...settings }: WebSettings) {
  const dispatcher =
    proxy &&
    new EnvHttpProxyAgent({
      httpProxy: proxy.http ?? '',
      httpsProxy: proxy.https ?? '',
      noProxy: [proxy.except, 'localhost,127.0.0.1,::1'].filter(Boolean).join(','),
    });
  const keyed = (given: KeyedWebProvider | undefined, baseUrl: string) => ({
    baseUrl: given?.baseUrl ?? baseUrl,
    credential: () => given?.apiKey,
    dispatcher,
  });
  return [
    searxng({ baseUrl: settings.searxngUrl, dispatcher }),
    deepseek(keyed(settings.deepseek, 'https://api.deepseek.com/anthropic/v1')),
    exa(keyed(settings.exa, 'https://api.exa.ai')),
    perplexity(keyed(settings.perplexity, 'https://api.perplexity.ai')),
  ];
}
