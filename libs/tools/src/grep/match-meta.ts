import type { JsonValue } from '@everturn/core/domain';
import { utf8Length } from '../kit/index.ts';
import type { Match } from './parse-matches.ts';

export interface MatchMetaInput {
  shown: readonly Match[];
  total: number;
  lineText(match: Match): string;
  maxBytes: number;
}

/** The shown matches for displays; files that do not fit are dropped from the end, the first one always stays. */
export function matchMeta({ shown, total, lineText, maxBytes }: MatchMetaInput): JsonValue {
  const groups = [...Map.groupBy(shown, ({ path }) => path)].map(([path, matches]) => ({
    path,
    matches: matches.map((match) => ({ line: match.line, text: lineText(match) })),
  }));
  const files: typeof groups = [];
  let bytes = 0;
  for (const group of groups) {
    bytes += utf8Length(JSON.stringify(group));
    if (bytes > maxBytes && files.length > 0) break;
    files.push(group);
  }
  return { total, files, ...(files.length < groups.length && { truncated: true }) };
}
