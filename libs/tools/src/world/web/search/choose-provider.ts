import { ToolError } from '../../../kit/index.ts';
import type { SearchProvider } from './search-provider.ts';

const VARIABLE = 'EVERTURN_WEB_SEARCH_PROVIDER';

/** Throws `WEB_DUPLICATE_PROVIDER` when two answer to one id. */
export function assertDistinct(providers: readonly SearchProvider[]): void {
  const ids = new Set<string>();
  for (const { id } of providers) {
    if (ids.has(id)) throw new ToolError('WEB_DUPLICATE_PROVIDER', `there are two web search providers "${id}"`);
    ids.add(id);
  }
}

/** The provider the deployment names, else the only one that can be asked; their order decides nothing. */
export function chooseProvider(providers: readonly SearchProvider[], configured: string | undefined): SearchProvider {
  if (configured !== undefined) return configuredProvider(providers, configured);
  const usable = providers.filter((provider) => provider.missing() === undefined);
  const [only] = usable;
  if (only && usable.length === 1) return only;
  if (only)
    throw new ToolError(
      'WEB_PROVIDER_AMBIGUOUS',
      `several web search providers are set up (${idsOf(usable)}); the deployment must choose one with ${VARIABLE}`,
    );
  throw new ToolError(
    'WEB_PROVIDER_UNAVAILABLE',
    `no web search provider is set up; the deployment can have ${idsOf(providers)} (see the README on web search)`,
  );
}

function configuredProvider(providers: readonly SearchProvider[], configured: string): SearchProvider {
  const provider = providers.find(({ id }) => id === configured);
  if (!provider)
    throw new ToolError(
      'WEB_PROVIDER_CONFIGURED_MISSING',
      `there is no web search provider "${configured}"; set ${VARIABLE} to one of ${idsOf(providers)}`,
    );
  const missing = provider.missing();
  if (missing) throw missing;
  return provider;
}

const idsOf = (providers: readonly SearchProvider[]): string =>
  providers
    .map(({ id }) => id)
    .toSorted()
    .join(', ');
