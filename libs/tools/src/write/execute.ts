import { text } from '@everturn/core/domain';
import { changeMeta, implementTool, requireGrant, showingDenial, ToolError, withRemedy } from '../kit/index.ts';
import { write } from './schema.ts';

/** One atomic replacement; a cancel before it leaves the file as it was. */
export const executeWrite = implementTool(write, async (args, context) => {
  const { file_path: path, content } = args;
  if (path.trim() === '') throw new ToolError('FS_NOT_FOUND', 'file_path must be a non-empty string');
  requireGrant(args, context.sandbox);
  const { cwd, signal, filePolicy: policy } = context;
  const change = await withRemedy(() =>
    showingDenial(
      context.ports.files.write({
        path,
        cwd,
        signal,
        content,
        intent: async (target) => policy?.writeIntent(target),
      }),
      context.sandbox,
    ),
  );
  await policy?.observed(change, { kind: 'present', version: change.version });
  const { displayPath, operation, before, after, note } = change;
  const lines = [
    `<path>${displayPath}</path>`,
    '<type>file</type>',
    '<content>',
    operation === 'create' ? 'Created file' : 'Updated file',
    '</content>',
    ...(note === undefined ? [] : [note]),
  ];
  return {
    content: [text(lines.join('\n'))],
    meta: changeMeta(change),
    value: { path: displayPath, operation, before, after },
  };
});
