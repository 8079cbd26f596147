import { defineTool, titledBy } from '../kit/index.ts';

/** Shows a text file by lines. */
export const read = defineTool({
  name: 'read',
  description: [
    'Shows a UTF-8 text file, each line with its number.',
    'A call returns up to 2000 lines or 50 KiB of text and says with which `offset` to go on.',
    'Lines longer than 2000 characters are cut and marked. Binary files and directories are refused.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        description: 'The file. A relative path starts in the session workspace.',
      },
      offset: { type: 'number', description: 'Number of the first line to show, counted from 1. Default 1.' },
      limit: {
        type: 'number',
        description: 'How many lines to show at most. Default 2000, which is also the maximum.',
      },
    },
    required: ['file_path'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  concurrency: () => 'parallel',
  promptSection: {
    name: 'tool:read',
    order: 100,
    text: 'Look at files with read rather than cat, head or sed. When a result says it was capped, go on at the offset it names instead of guessing the rest.',
  },
  presentCall: titledBy('Read', 'file_path'),
});
