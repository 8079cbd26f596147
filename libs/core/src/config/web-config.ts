import { z } from 'zod';
import { addressRanges, httpUrl, secret, wholeNumber } from './fields.ts';
import type { Secret } from './secret.ts';

const SWITCH = { error: 'set it to on or off' };

/** What tools may do on the web, and who searches it. */
export const webFields = {
  EVERTURN_WEB_FETCH: z.enum(['on', 'off'], SWITCH).default('on'),
  EVERTURN_WEB_ALLOW_ADDRESSES: addressRanges.optional(),
  EVERTURN_WEB_SEARCH: z.enum(['on', 'off'], SWITCH).default('on'),
  EVERTURN_WEB_SEARCH_PROVIDER: z
    .enum(['searxng', 'deepseek', 'exa', 'perplexity'], { error: 'set it to searxng, deepseek, exa or perplexity' })
    .optional(),
  EVERTURN_WEB_SEARCH_MAX_QUERIES: wholeNumber({
    min: 1,
    max: 20,
    what: 'how many queries one search may hold',
  }).default(4),
  SEARXNG_URL: httpUrl('set it to the address of a SearXNG instance that offers the format json').optional(),
  DEEPSEEK_API_KEY: secret('set it to a DeepSeek key').optional(),
  DEEPSEEK_SEARCH_BASE_URL: httpUrl('set it to the base URL of the DeepSeek API that searches').default(
    'https://api.deepseek.com/anthropic/v1',
  ),
  EXA_API_KEY: secret('set it to a key of Exa').optional(),
  EXA_BASE_URL: httpUrl('set it to the base URL of the Exa API').default('https://api.exa.ai'),
  PERPLEXITY_API_KEY: secret('set it to a key of Perplexity').optional(),
  PERPLEXITY_BASE_URL: httpUrl('set it to the base URL of the Perplexity API').default('https://api.perplexity.ai'),
};

/** The deployment's word on the web. */
export interface WebConfig {
  fetch: 'on' | 'off';
  search: 'on' | 'off';
  /** Reachable for `web_fetch` although not public. */
  allowAddresses: string[];
  /** Absent: the only one that is set up. */
  searchProvider?: 'searxng' | 'deepseek' | 'exa' | 'perplexity';
  searchMaxQueries: number;
  searxngUrl?: string;
  deepseek: { baseUrl: string; apiKey?: Secret };
  exa: { baseUrl: string; apiKey?: Secret };
  perplexity: { baseUrl: string; apiKey?: Secret };
}

/** The part of the environment about the web. */
export function webConfig(env: z.output<z.ZodObject<typeof webFields>>): WebConfig {
  return {
    fetch: env.EVERTURN_WEB_FETCH,
    search: env.EVERTURN_WEB_SEARCH,
    allowAddresses: env.EVERTURN_WEB_ALLOW_ADDRESSES ?? [],
    ...(env.EVERTURN_WEB_SEARCH_PROVIDER && { searchProvider: env.EVERTURN_WEB_SEARCH_PROVIDER }),
    searchMaxQueries: env.EVERTURN_WEB_SEARCH_MAX_QUERIES,
    ...(env.SEARXNG_URL && { searxngUrl: env.SEARXNG_URL }),
    deepseek: {
      baseUrl: env.DEEPSEEK_SEARCH_BASE_URL,
      ...(env.DEEPSEEK_API_KEY && { apiKey: env.DEEPSEEK_API_KEY }),
    },
    exa: { baseUrl: env.EXA_BASE_URL, ...(env.EXA_API_KEY && { apiKey: env.EXA_API_KEY }) },
    perplexity: {
      baseUrl: env.PERPLEXITY_BASE_URL,
      ...(env.PERPLEXITY_API_KEY && { apiKey: env.PERPLEXITY_API_KEY }),
    },
  };
}
