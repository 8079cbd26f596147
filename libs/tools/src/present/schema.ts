import { defineTool, fieldsOf } from '../kit/index.ts';

/** Hands files to the person. */
export const present = defineTool({
  name: 'present',
  description: [
    'Hands finished files to the person you work for, such as a report or a picture you made: they see them as what this turn delivers.',
    'One call names 1 to 4 existing regular files; nothing is read or copied, so leave them where they are.',
    'Use it for results, not for what you merely worked on.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        description: 'The files, most important first, 1 to 4 of them.',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            path: {
              type: 'string',
              description:
                'Path of a regular file, no link and no directory; relative ones start in the session workspace.',
            },
            description: { type: 'string', description: 'One line that says what the file is. Optional.' },
          },
          required: ['path'],
        },
      },
    },
    required: ['files'],
  },
  home: 'host',
  effect: 'idempotent',
  presentCall: (args) => {
    const { files } = fieldsOf(args);
    return Array.isArray(files)
      ? { card: 'generic', title: `Present ${files.length} file${files.length === 1 ? '' : 's'}` }
      : undefined;
  },
});
