import type { SearchAnswer, SearchSource } from '../kit/index.ts';
import { mergeSources } from './merge-sources.ts';

const REMINDER = 'Cite the URLs you use in your answer as markdown links, such as [title](https://example.org/page).';

export interface FormatAnswersInput {
  /** In the order of the call. */
  answers: readonly (SearchAnswer & { query: string })[];
  maxResults: number;
}

/** What the model reads of a search: answers, sources, and how to cite them. */
export function formatAnswers({ answers, maxResults }: FormatAnswersInput): string {
  const { sources, truncated } = mergeSources(
    answers.map((answer) => answer.sources),
    maxResults,
  );
  const texts = answers.flatMap(({ query, answer }) => {
    if (!answer) return [];
    return [answers.length > 1 ? `### ${query}\n\n${answer}` : answer];
  });
  return [
    ...texts,
    ...(sources.length > 0 ? [`Sources:\n${sources.map(sourceLine).join('\n')}`] : []),
    ...(texts.length === 0 && sources.length === 0 ? ['No results found.'] : []),
    ...(truncated ? [`(Showing the first ${sources.length} sources. Ask more narrowly to see others.)`] : []),
    REMINDER,
  ].join('\n\n');
}

function sourceLine({ url, title, snippet, date }: SearchSource): string {
  const name = oneLine(title ?? '') || URL.parse(url)?.hostname || url;
  const about = [oneLine(snippet ?? ''), date && `(${oneLine(date)})`].filter(Boolean).join(' ');
  return `- [${name}](${url})${about === '' ? '' : ` — ${about}`}`;
}

/** A title or passage with line breaks would begin entries of its own. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
