import { basename, dirname, join } from 'node:path';
import { text } from '@everturn/core/domain';
import { implementTool, ToolError, type ToolRunContext } from '../kit/index.ts';
import { present } from './schema.ts';

/** Checks that the files can be handed over; that they were is an event of the call, written with its success. */
export const executePresent = implementTool(present, async ({ files }, context) => {
  const { maxFiles } = context.settings.present;
  if (!(await isWorkspace(context))) throw new Error('present requires a workspace');
  if (files.length === 0) throw new Error('files must name at least one file');
  if (files.length > maxFiles) throw new Error(`files must name at most ${maxFiles} files`);
  if (files.some(({ path }) => path.trim() === '')) throw new Error('each path must be a non-empty string');
  for (const { path } of files) await assertRegular(path, context);
  const { turn } = context.initiator;
  return {
    content: [text(files.map(({ path }) => `Presented ${path}`).join('\n'))],
    value: { turn, files },
    events: [{ type: 'deliverables/presented', data: { turn, callId: context.callId, files } }],
  };
});

const isWorkspace = async ({ ports, cwd, signal }: ToolRunContext): Promise<boolean> =>
  (await ports.files.stat({ path: '.', cwd, signal })).kind === 'directory';

/** By what the path itself is: a link is refused even where it leads to a file. */
async function assertRegular(path: string, { ports, cwd, signal }: ToolRunContext): Promise<void> {
  const { kind, displayPath, identity } = await ports.files.stat({ path, cwd, signal });
  const folder = await ports.files.stat({ path: dirname(displayPath), cwd, signal });
  const isLink = identity !== join(folder.identity, basename(displayPath));
  if (isLink || kind === 'directory' || kind === 'other') throw new Error(`Cannot present ${path}: not a regular file`);
  if (kind === 'absent') throw new ToolError('FS_NOT_FOUND', `Cannot present ${path}: not found`);
}
