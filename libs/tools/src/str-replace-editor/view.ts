import { observeMissing, type ToolRunContext } from '../kit/index.ts';
import type { EditorAnswer, EditorArguments } from './execute.ts';
import { LineRange } from './line-range.ts';

const SKIPPED = new Set(['node_modules', '__pycache__']);
const DEPTH = 2;

/** Shows a file with its line numbers, or what a directory holds. */
export async function view(args: EditorArguments, context: ToolRunContext): Promise<EditorAnswer> {
  const { path } = args;
  const range = args.view_range ?? undefined;
  const { cwd, signal, ports } = context;
  const stat = await ports.files.stat({ path, cwd, signal });
  if (stat.kind === 'directory') {
    if (range) throw new Error('The `view_range` parameter is not allowed when `path` is a directory.');
    return viewDirectory(stat.displayPath, context);
  }
  const wanted = new LineRange(range);
  const file = await observeMissing(path, context, () => ports.files.readText({ path, cwd, signal }));
  for await (const chunk of file.chunks) wanted.push(chunk);
  const { total, numbered } = wanted.finish();
  await context.filePolicy?.observed(file, { kind: 'present', version: file.version });
  const shown = range ? ` with view_range=[${range.join(', ')}]` : '';
  return {
    output: `Here's the content of ${file.displayPath} with line numbers (which has a total of ${total} lines)${shown}:\n${numbered}`,
  };
}

async function viewDirectory(displayPath: string, context: ToolRunContext): Promise<EditorAnswer> {
  const { cwd, signal, ports } = context;
  const entries = await ports.files.list({
    path: displayPath,
    cwd,
    signal,
    depth: DEPTH,
    skip: (name) => name.startsWith('.') || SKIPPED.has(name),
  });
  const rows = entries.map(({ kind, path }) => `${LETTERS[kind]}\t${path}`);
  return {
    output: `Here are the files and directories up to ${DEPTH} levels deep in ${displayPath}, without hidden ones, node_modules and __pycache__:\n${[`d\t${displayPath}`, ...rows].join('\n')}\n`,
  };
}

const LETTERS = { directory: 'd', file: 'f', other: '?' } as const;
