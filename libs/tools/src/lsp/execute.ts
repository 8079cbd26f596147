import { asJsonValue, text } from '@everturn/core/domain';
import { implementTool, ToolError, type ToolRunContext } from '../kit/index.ts';
import { formatAnswer } from './format-answer.ts';
import { lsp } from './schema.ts';

const MAX_SOURCE_BYTES = 4_000_000;

/** Asks the language server that reads the file, in the session's workspace. */
export const executeLsp = implementTool(lsp, async ({ operation, file_path: path, line, character }, context) => {
  if (path.trim() === '') throw new Error('file_path must be a non-empty string');
  for (const [name, value] of Object.entries({ line, character }))
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a positive integer (one-based)`);
  const workspace = await workspaceOf(context);
  const source = await sourceOf(path, workspace, context);
  const answer = await context.ports.lsp.query({
    operation,
    path: source,
    displayPath: path,
    line: line - 1,
    character: character - 1,
    workspace,
    resources: context.resources,
    sandbox: context.sandbox,
    readSource: () => readSource(path, context),
    signal: context.signal,
  });
  return {
    content: [text(formatAnswer(answer, workspace))],
    ...(answer.kind === 'locations' && { meta: { count: answer.locations.length } }),
    value: asJsonValue(answer),
  };
});

async function workspaceOf({ ports, cwd, signal }: ToolRunContext): Promise<string> {
  const folder = await ports.files.stat({ path: '.', cwd, signal });
  if (folder.kind === 'directory') return folder.identity;
  throw new ToolError('LSP_WORKSPACE_REQUIRED', 'language servers need a workspace, and this session has none');
}

/** The real path of a source inside the workspace; links are followed before that is judged. */
async function sourceOf(path: string, workspace: string, { ports, cwd, signal }: ToolRunContext): Promise<string> {
  const source = await ports.files.stat({ path, cwd, signal });
  if (!source.identity.startsWith(workspace === '/' ? '/' : `${workspace}/`))
    throw new Error(`cannot query "${source.displayPath}": it lies outside the workspace`);
  if (source.kind === 'file') return source.identity;
  const { chunks } = await ports.files.readText({ path, cwd, signal }); // which says what is wrong with it
  await chunks[Symbol.asyncIterator]().return?.();
  return source.identity;
}

async function readSource(path: string, { ports, cwd, signal }: ToolRunContext): Promise<string> {
  const file = await ports.files.readText({ path, cwd, signal });
  let whole = '';
  for await (const chunk of file.chunks) {
    if (file.sizeBytes > MAX_SOURCE_BYTES)
      throw new Error(
        `cannot query "${file.displayPath}": it has ${file.sizeBytes} bytes, more than ${MAX_SOURCE_BYTES}`,
      );
    whole += chunk;
  }
  return whole;
}
