import { z } from 'zod';
import { keyedProvider, type KeyedInput } from './keyed-provider.ts';
import { askProvider } from './search-http.ts';
import type { SearchProvider } from './search-provider.ts';
import { sourceOf } from './source-of.ts';

const text = z.string().nullish();
const Answer = z.object({
  results: z.array(
    z.object({ url: z.string(), title: text, publishedDate: text, highlights: z.array(z.string()).nullish() }),
  ),
});

/** Exa: pages with the passage that fits; one without a passage tells the model nothing and is dropped. */
export function exa({ baseUrl, credential, dispatcher }: KeyedInput): SearchProvider {
  return keyedProvider({
    id: 'exa',
    variable: 'EXA_API_KEY',
    credential,
    search: async ({ query, maxResults, signal }, key) => {
      const { results } = await askProvider({
        provider: 'Exa',
        url: new URL(`${baseUrl}/search`),
        method: 'POST',
        headers: { 'x-api-key': key },
        body: { query, type: 'auto', numResults: maxResults, contents: { highlights: { highlightsPerUrl: 1 } } },
        credential: key,
        answer: Answer,
        signal,
        dispatcher,
      });
      const sources = results.flatMap(({ highlights, url, title, publishedDate }) => {
        const snippet = highlights?.[0];
        return snippet ? [sourceOf({ url, title, snippet, date: publishedDate })] : [];
      });
      return { sources };
    },
  });
}
