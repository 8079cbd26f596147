import { z } from 'zod';
import { keyedProvider, type KeyedInput } from './keyed-provider.ts';
import { askProvider, failed } from './search-http.ts';
import type { SearchProvider } from './search-provider.ts';
import { sourceOf } from './source-of.ts';

const text = z.string().nullish();
const Result = z.object({ type: z.literal('web_search_result'), url: z.string(), title: text, page_age: text });
const Failure = z.object({ type: z.literal('web_search_tool_result_error'), error_code: z.string() });
const Cited = z.object({ url: z.string(), cited_text: text });
const Block = z.union([
  z.object({ type: z.literal('text'), text: z.string(), citations: z.array(z.looseObject({})).nullish() }),
  z.object({ type: z.literal('web_search_tool_result'), content: z.union([z.array(Result), Failure]) }),
  z.looseObject({ type: z.string() }),
]);
const Answer = z.object({ content: z.array(Block) });
type Block = z.output<typeof Block>;

/** DeepSeek: its model searches by itself and writes an answer. What it is asked is told before, for the log. */
export function deepseek({ baseUrl, credential, dispatcher }: KeyedInput): SearchProvider {
  const announce = (query: string) => ({
    endpoint: `${baseUrl}/messages`,
    apiVersion: '2023-06-01',
    body: {
      model: 'deepseek-v4-flash',
      max_tokens: 4096,
      messages: [{ role: 'user', content: query }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
    },
  });
  const provider = keyedProvider({
    id: 'deepseek',
    variable: 'DEEPSEEK_API_KEY',
    credential,
    search: async ({ query, maxResults, signal }, key) => {
      const { endpoint, apiVersion, body } = announce(query);
      const { content } = await askProvider({
        provider: 'DeepSeek',
        url: new URL(endpoint),
        method: 'POST',
        headers: { 'x-api-key': key, 'anthropic-version': apiVersion },
        body,
        credential: key,
        answer: Answer,
        signal,
        dispatcher,
      });
      const answer = content.map((block) => (isText(block) ? block.text : '')).join('');
      return { sources: sourcesOf(content).slice(0, maxResults), ...(answer.trim() !== '' && { answer }) };
    },
  });
  return { ...provider, announce };
}

type TextBlock = Extract<Block, { text: string }>;
type ResultBlock = Extract<Block, { content: unknown }>;
const isText = (block: Block): block is TextBlock => block.type === 'text' && typeof block['text'] === 'string';
const isResult = (block: Block): block is ResultBlock => block.type === 'web_search_tool_result';

/** What the searches found, with the passages the answer cites; an answer without a search is none. */
function sourcesOf(content: readonly Block[]) {
  const searches = content.filter(isResult).map((block) => block.content as z.output<typeof Failure> | Found[]);
  if (searches.length === 0) throw failed('DeepSeek', 'it answered without a search');
  const found = searches.flatMap((results) => (Array.isArray(results) ? results : []));
  const refused = searches.find((results) => !Array.isArray(results));
  if (found.length === 0 && refused && !Array.isArray(refused))
    throw failed('DeepSeek', `its search failed: ${refused.error_code}`);
  const passages = new Map(
    content.filter(isText).flatMap(({ citations }) =>
      (citations ?? []).flatMap((citation) => {
        const { data } = Cited.safeParse(citation);
        return data?.cited_text ? [[data.url, data.cited_text] as const] : [];
      }),
    ),
  );
  return found.map(({ url, title, page_age: date }) => sourceOf({ url, title, date, snippet: passages.get(url) }));
}

type Found = z.output<typeof Result>;
