import { text } from '@everturn/core/domain';
import { assertSearched, globVariants, implementTool, saveList, type ToolRunContext } from '../kit/index.ts';
import { formatMatches, NOT_UTF8 } from './format-matches.ts';
import { matchMeta } from './match-meta.ts';
import { parseMatches, type Match } from './parse-matches.ts';
import { previewLine } from './preview-line.ts';
import { grep } from './schema.ts';

/** Searches through ripgrep; the first matches for the model, all of them for programs and the saved list. */
export const executeGrep = implementTool(grep, async ({ pattern, path, include }, context) => {
  if (pattern === '') throw new Error('pattern must be a non-empty string');
  if (path?.trim() === '') throw new Error('path must be a non-empty string when given');
  if (include !== undefined) checkInclude(include);
  const { maxLineBytes, maxMetaBytes, grepMaxMatches } = context.settings.search;
  const matches = await findMatches({ pattern, path, include }, context);
  const preview = (match: Match) =>
    match.text === undefined ? NOT_UTF8 : previewLine({ ...match, text: match.text, maxBytes: maxLineBytes });
  const shown = matches.slice(0, grepMaxMatches);
  return {
    content: [text(await pageOf(matches, shown, preview, context))],
    meta: matchMeta({ shown, total: matches.length, lineText: preview, maxBytes: maxMetaBytes }),
    value: { matches: matches.map(({ path: file, line, text: found }) => ({ path: file, line, text: found ?? null })) },
  };
});

/** One positive glob: a list would be read as one odd name, and a negation would turn the search around. */
function checkInclude(include: string): void {
  if (include.trim() === '') throw new Error('include must be a non-empty string when given');
  if (include.startsWith('!')) throw new Error('include must not start with "!"; negation is not supported');
  let depth = 0;
  for (const character of include) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === ',' && depth <= 0)
      throw new Error('include must be one glob; write alternatives in braces, as in "*.{js,jsx}"');
  }
}

interface SearchInput {
  pattern: string;
  path: string | undefined;
  include: string | undefined;
}

async function findMatches({ pattern, path, include }: SearchInput, context: ToolRunContext): Promise<Match[]> {
  const scope = await context.ports.search.scope({ cwd: context.cwd, ...(path !== undefined && { path }) });
  const { graceMs, maxStdoutBytes, maxStderrBytes } = context.settings.search;
  const outcome = await context.ports.search.run({
    args: [
      '--no-config',
      '--json',
      `--regexp=${pattern}`,
      ...(include === undefined ? [] : globVariants(include, scope).map((variant) => `--glob=${variant}`)),
      '--',
      scope.target,
    ],
    cwd: scope.cwd,
    signal: context.signal,
    graceMs,
    maxStdoutBytes,
    maxStderrBytes,
  });
  assertSearched('grep', outcome);
  const { strip } = scope;
  return parseMatches(outcome.stdout.text).map((match) =>
    match.path.startsWith(strip) ? { ...match, path: match.path.slice(strip.length) } : match,
  );
}

async function pageOf(
  matches: readonly Match[],
  shown: readonly Match[],
  preview: (match: Match) => string,
  context: ToolRunContext,
): Promise<string> {
  const total = matches.length;
  if (total === 0) return 'No matches found';
  const page = formatMatches({ matches: shown, total, lineText: preview });
  if (shown.length === total) return page;
  const whole = formatMatches({ matches, total, lineText: (match) => match.text ?? NOT_UTF8 });
  const saved = await saveList({ context, name: 'grep-results.txt', text: whole });
  return saved === undefined
    ? `${page}\n\n(The complete result could not be saved; narrow pattern, path, or include to see more.)`
    : `${page}\n\n(Full grep result stored at: ${saved.locator}. ${saved.hint})`;
}
