import { webSettings, type WebConfig } from '@everturn/core/config';
import { info, ok, warn, type Finding } from './finding.ts';

const CHOOSE = 'set EVERTURN_WEB_SEARCH_PROVIDER to one of them';

/** Who searches the web for workers of this environment; nobody is asked, because every question may cost. */
export async function checkWeb(): Promise<Finding[]> {
  return [webSearchOf(webSettings())];
}

/** The finding for one configuration. */
export function webSearchOf({ search, searchProvider, searxngUrl, deepseek, exa, perplexity }: WebConfig): Finding {
  if (search === 'off') return info('Web search', 'off by EVERTURN_WEB_SEARCH');
  const setUp = [
    ...(searxngUrl ? ['searxng'] : []),
    ...(deepseek.apiKey ? ['deepseek'] : []),
    ...(exa.apiKey ? ['exa'] : []),
    ...(perplexity.apiKey ? ['perplexity'] : []),
  ];
  if (searchProvider !== undefined && !setUp.includes(searchProvider))
    return warn(
      'Web search',
      `${searchProvider} is chosen and not set up`,
      'set SEARXNG_URL, DEEPSEEK_API_KEY, EXA_API_KEY or PERPLEXITY_API_KEY',
    );
  const [only] = searchProvider === undefined ? setUp : [searchProvider];
  if (only === undefined)
    return info(
      'Web search',
      'no provider: calls of web_search fail (SEARXNG_URL, DEEPSEEK_API_KEY, EXA_API_KEY or PERPLEXITY_API_KEY)',
    );
  if (searchProvider === undefined && setUp.length > 1)
    return warn('Web search', `${setUp.join(' and ')} are set up, none is chosen`, CHOOSE);
  return ok('Web search', `by ${only}`);
}
