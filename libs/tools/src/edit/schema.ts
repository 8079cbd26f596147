import { changedBy, defineTool, stringField, type CallPresenter } from '../kit/index.ts';

/** What the call would change, as a diff before anything has happened. */
const presentEditCall: CallPresenter = (args) => {
  const path = stringField(args, 'file_path');
  const oldText = stringField(args, 'old_string');
  const newText = stringField(args, 'new_string');
  if (path === undefined || oldText === undefined || newText === undefined) return undefined;
  return { card: 'diff', title: `Edit ${path}`, path, diffs: [{ oldText, newText }] };
};

/** Replaces literal text in a file. */
export const edit = defineTool({
  name: 'edit',
  description: [
    'Replaces text in an existing UTF-8 text file. `old_string` is taken literally, never as a pattern, and must occur exactly once unless `replace_all` is set; if it fits several places, add surrounding lines until it fits one.',
    'Line ends need no care: write plain line feeds, the file keeps the kind it has.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'The file. A relative path starts in the session workspace.' },
      old_string: {
        type: 'string',
        description:
          'The text to replace, exactly as in the file, indentation included, without the line numbers read shows.',
      },
      new_string: {
        type: 'string',
        description: 'What shall stand there instead, taken literally. Empty to delete. Must differ from old_string.',
      },
      replace_all: {
        type: 'boolean',
        description: 'Replace every occurrence. Default false: exactly one must exist.',
      },
    },
    required: ['file_path', 'old_string', 'new_string'],
  },
  home: 'host',
  effect: 'at-most-once',
  escalation: 'operation',
  promptSection: {
    name: 'tool:edit',
    order: 102,
    text: 'Change existing files with edit rather than sed or a rewrite, and read the place first so that old_string matches to the letter.',
  },
  presentCall: presentEditCall,
  presentResult: changedBy('Edit'),
});
