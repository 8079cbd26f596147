import { text } from '@everturn/core/domain';
import {
  assertSearched,
  globVariants,
  implementTool,
  saveList,
  VERSION_CONTROL_NAMES,
  type SearchScope,
  type ToolRunContext,
} from '../kit/index.ts';
import { samplePaths, topLevelEntry } from './sample-paths.ts';
import { glob } from './schema.ts';

/** Lists files through ripgrep; a page of them for the model, all of them for programs and the saved list. */
export const executeGlob = implementTool(glob, async ({ pattern, path }, context) => {
  if (pattern.trim() === '') throw new Error('pattern must be a non-empty string');
  if (path?.trim() === '') throw new Error('path must be a non-empty string when given');
  const scope = await context.ports.search.scope({ cwd: context.cwd, ...(path !== undefined && { path }) });
  const paths = await findPaths(pattern, scope, context);
  return {
    content: [text(await pageOf(paths, scope, context))],
    meta: { count: paths.length },
    value: { paths },
  };
});

async function findPaths(pattern: string, scope: SearchScope, context: ToolRunContext): Promise<string[]> {
  const { graceMs, maxStdoutBytes, maxStderrBytes } = context.settings.search;
  const outcome = await context.ports.search.run({
    args: [
      '--no-config',
      '--files',
      '--null',
      ...globVariants(pattern, scope).map((variant) => `--glob=${variant}`),
      '--sort=modified',
      '--no-ignore',
      '--hidden',
      ...VERSION_CONTROL_NAMES.flatMap((name) => [`--glob=!**/${name}`, `--glob=!**/${name}/**`]),
      '--',
      scope.target,
    ],
    cwd: scope.cwd,
    signal: context.signal,
    graceMs,
    maxStdoutBytes,
    maxStderrBytes,
  });
  assertSearched('glob', outcome);
  return outcome.stdout.text
    .split('\0')
    .filter((found) => found !== '')
    .map((found) => (found.startsWith(scope.strip) ? found.slice(scope.strip.length) : found));
}

async function pageOf(paths: string[], { below }: SearchScope, context: ToolRunContext): Promise<string> {
  const { globMaxResults: size, sampleOverCapGlobResults: samples } = context.settings.search;
  if (paths.length === 0) return 'No files found';
  if (paths.length <= size) return paths.join('\n');
  const saved = await saveList({ context, name: 'glob-results.txt', text: paths.join('\n') });
  const stored =
    saved === undefined
      ? 'The complete result could not be saved; narrow pattern or path to see more.'
      : `Full sorted result stored at: ${saved.locator}. ${saved.hint}`;
  const sample = samplePaths(paths, size, (path) => topLevelEntry(path, below));
  // When every path is an entry of its own there is nothing to spread over.
  if (!samples || sample.total === paths.length)
    return `${paths.slice(0, size).join('\n')}\n\n(Showing ${size} of ${paths.length} paths. ${stored})`;
  const { shown, total } = sample;
  const advice = shown < total ? ' Narrow the pattern or search one directory to see the entries left out.' : '';
  return (
    `${sample.page.join('\n')}\n\n(Showing ${size} of ${paths.length} paths, sampled across ${shown} of the ${total} ` +
    `top-level entries this pattern matched instead of taken in modification-time order.${advice} ${stored})`
  );
}
