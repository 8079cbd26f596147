import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { ToolError } from '../../../kit/index.ts';
import { askProvider } from './search-http.ts';
import type { SearchProvider } from './search-provider.ts';
import { sourceOf } from './source-of.ts';

const text = z.string().nullish();
const Answer = z.object({
  results: z.array(z.object({ url: z.string(), title: text, content: text, publishedDate: text })).default([]),
  /** Strings in older versions. */
  answers: z.array(z.union([z.string(), z.object({ answer: z.string() })])).default([]),
});

export interface SearxngInput {
  /** Of an instance that offers the format `json`; absent: not set up. */
  baseUrl?: string | undefined;
  dispatcher?: Dispatcher | undefined;
}

/** A SearXNG instance of the deployment: no key, no cost per query. */
export function searxng({ baseUrl, dispatcher }: SearxngInput): SearchProvider {
  return {
    id: 'searxng',
    missing: () =>
      baseUrl === undefined
        ? new ToolError(
            'WEB_PROVIDER_CONFIGURED_UNAVAILABLE',
            'web search by SearXNG needs its address: set SEARXNG_URL',
          )
        : undefined,
    search: async ({ query, maxResults, signal }) => {
      const url = new URL(`${baseUrl}/search`);
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      const found = await askProvider({ provider: 'SearXNG', url, method: 'GET', answer: Answer, signal, dispatcher });
      const answer = found.answers.map((entry) => (typeof entry === 'string' ? entry : entry.answer)).join('\n\n');
      const sources = found.results
        .slice(0, maxResults)
        .map(({ url: address, title, content, publishedDate }) =>
          sourceOf({ url: address, title, snippet: content, date: publishedDate }),
        );
      return { sources, ...(answer !== '' && { answer }) };
    },
  };
}
