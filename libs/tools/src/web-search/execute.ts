import { asJsonValue, text } from '@everturn/core/domain';
import { implementTool, settledByCancel, type SearchAnswer, type ToolRunContext } from '../kit/index.ts';
import { checkQueries } from './check-queries.ts';
import { formatAnswers } from './format-answers.ts';
import { webSearch } from './schema.ts';

/** Asks the deployment's search provider; all queries at once, all or none. */
export const executeWebSearch = implementTool(webSearch, async ({ queries }, context) => {
  const { searchMaxQueries, searchMaxResults: maxResults } = context.settings.web;
  const asked = checkQueries(queries, searchMaxQueries);
  const found = await searchAll(asked, maxResults, context);
  const answers = found.map((answer, index) => ({ query: asked[index] ?? '', ...answer }));
  return {
    content: [text(formatAnswers({ answers, maxResults }))],
    value: asJsonValue({
      answers: answers.map(({ query, answer, sources }) => ({ query, answer: answer ?? null, sources })),
    }),
  };
});

/** The first failure ends the others; it is reported only when none runs any more. */
async function searchAll(
  queries: readonly string[],
  maxResults: number,
  { ports, signal }: ToolRunContext,
): Promise<SearchAnswer[]> {
  const others = new AbortController();
  const failures: unknown[] = [];
  const either = AbortSignal.any([signal, others.signal]);
  const settled = await Promise.all(
    queries.map((query) =>
      ports.web.search({ query, maxResults, signal: either }).catch((error: unknown) => {
        failures.push(error);
        others.abort();
        return undefined;
      }),
    ),
  );
  if (failures.length > 0) settledByCancel(signal)(failures[0]);
  return settled.filter((answer) => answer !== undefined);
}
