import { defineTool, changedBy, stringField } from '../kit/index.ts';

/** An editor of single files behind one tool, as some models were trained to use. */
export const strReplaceEditor = defineTool({
  name: 'str_replace_editor',
  description: [
    'Views, creates and changes files through one tool; `command` says which, and the other parameters belong to single commands (leave out, or set to null, what the command does not use).',
    'Text is taken as it stands: nothing is a pattern, and line ends are neither converted nor added. An existing file must have been viewed or read before it is changed.',
    'Output over 16000 characters is cut and marked.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert'],
        description:
          'view shows a file with line numbers, or what a directory holds two levels deep; create makes a new file; str_replace changes one place; insert adds lines.',
      },
      path: { type: 'string', description: 'The file or directory, as an absolute path.' },
      file_text: {
        oneOf: [{ type: 'string' }, { type: 'null' }],
        description: 'Required for create: all the text of the new file. An existing file is never overwritten.',
      },
      insert_line: {
        oneOf: [{ type: 'integer' }, { type: 'null' }],
        description: 'Required for insert: the number of the line after which new_str goes; 0 puts it at the top.',
      },
      new_str: {
        oneOf: [{ type: 'string' }, { type: 'null' }],
        description:
          'The text that takes the place of old_str (leave it out to delete, null is refused), or, required for insert, the text to add.',
      },
      old_str: {
        oneOf: [{ type: 'string' }, { type: 'null' }],
        description:
          'Required for str_replace: the text to replace, exactly as in the file, indentation included. It must occur exactly once; add surrounding lines until it does.',
      },
      view_range: {
        oneOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }],
        description:
          'For view of a file: first and last line to show, counted from 1, such as [11, 20]; -1 as the last shows all that follows. Default: the whole file.',
      },
    },
    required: ['command', 'path'],
  },
  home: 'host',
  effect: 'at-most-once',
  presentCall: (args) => {
    const command = stringField(args, 'command');
    const path = stringField(args, 'path');
    if (command === undefined || path === undefined) return undefined;
    return { card: 'generic', title: `${TITLES[command] ?? command} ${path}` };
  },
  presentResult: (args, result) => changedBy(TITLES[stringField(args, 'command') ?? ''] ?? 'Edit')(args, result),
});

const TITLES: Readonly<Record<string, string>> = {
  view: 'View',
  create: 'Create',
  str_replace: 'Edit',
  insert: 'Insert into',
};
