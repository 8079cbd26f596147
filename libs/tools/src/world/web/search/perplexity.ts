import { z } from 'zod';
import { keyedProvider, type KeyedInput } from './keyed-provider.ts';
import { askProvider } from './search-http.ts';
import type { SearchProvider } from './search-provider.ts';
import { sourceOf } from './source-of.ts';

const text = z.string().nullish();
const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  search_results: z.array(z.object({ url: z.string(), title: text, date: text, snippet: text })).nullish(),
  citations: z.array(z.string()).nullish(),
});

/** Perplexity: an answer in prose and what it rests on. */
export function perplexity({ baseUrl, credential, dispatcher }: KeyedInput): SearchProvider {
  return keyedProvider({
    id: 'perplexity',
    variable: 'PERPLEXITY_API_KEY',
    credential,
    search: async ({ query, maxResults, signal }, key) => {
      const {
        choices,
        search_results: results,
        citations,
      } = await askProvider({
        provider: 'Perplexity',
        url: new URL(`${baseUrl}/chat/completions`),
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: { model: 'sonar', max_tokens: 1024, messages: [{ role: 'user', content: query }] },
        credential: key,
        answer: Answer,
        signal,
        dispatcher,
      });
      // Citations are bare addresses; they count only where the provider gives nothing better.
      const found = results?.length ? results.map(sourceOf) : (citations ?? []).map((url) => sourceOf({ url }));
      const answer = choices[0]?.message.content;
      return { sources: found.slice(0, maxResults), ...(answer && { answer }) };
    },
  });
}
