import { text } from '@everturn/core/domain';
import { changeMeta, implementTool, requireGrant, showingDenial, ToolError, withRemedy } from '../kit/index.ts';
import { lineFeeds, replaceText } from './replace-text.ts';
import { edit } from './schema.ts';

/** Matches and publishes under the file's lock; whatever is refused leaves the file as it was. */
export const executeEdit = implementTool(edit, async (args, context) => {
  const { file_path: path, old_string: oldString, new_string: newString, replace_all: replaceAll = false } = args;
  if (path.trim() === '') throw new ToolError('FS_NOT_FOUND', 'file_path must be a non-empty string');
  if (oldString === '') throw new Error('old_string must be a non-empty string');
  if (lineFeeds(oldString) === lineFeeds(newString)) throw new Error('old_string and new_string must differ');
  requireGrant(args, context.sandbox);
  const { cwd, signal, filePolicy: policy } = context;
  const change = await withRemedy(() =>
    showingDenial(
      context.ports.files.edit({
        path,
        cwd,
        signal,
        expectedVersion: async (target) => policy?.editVersion(target),
        change: ({ text: current, displayPath }) =>
          replaceText({ displayPath, text: current, oldString, newString, replaceAll }),
      }),
      context.sandbox,
    ),
  );
  await policy?.observed(change, { kind: 'present', version: change.version });
  const { displayPath, before, after, note } = change;
  const done = replaceAll
    ? `The file ${displayPath} has been updated. All occurrences were successfully replaced.`
    : `The file ${displayPath} has been updated successfully.`;
  return {
    content: [text(note === undefined ? done : `${done}\n${note}`)],
    meta: changeMeta(change),
    value: { path: displayPath, before, after },
  };
});
