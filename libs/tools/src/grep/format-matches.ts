import type { Match } from './parse-matches.ts';

export interface FormatMatchesInput {
  matches: readonly Match[];
  /** How many there are in all, when these are not all. */
  total: number;
  lineText(match: Match): string;
}

/** A head line with the count, then the lines of every file, files in the order they were first met. */
export function formatMatches({ matches, total, lineText }: FormatMatchesInput): string {
  const shown = matches.length;
  const head = shown < total ? `Found ${shown} of ${total} matches` : `Found ${total} match${total === 1 ? '' : 'es'}`;
  const groups = [...Map.groupBy(matches, ({ path }) => path)].map(([path, lines]) =>
    [path, ...lines.map((match) => `Line ${match.line}: ${lineText(match)}`)].join('\n'),
  );
  return [head, ...groups].join('\n\n');
}

export const NOT_UTF8 = '(line is not valid UTF-8)';
