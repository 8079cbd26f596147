import { defineTool, titledBy } from '../kit/index.ts';

/** Finds lines by content. */
export const grep = defineTool({
  name: 'grep',
  description: [
    'Searches file contents with a ripgrep regular expression and returns the matching lines with their numbers, file by file.',
    'Hidden files and those an ignore file names are skipped unless `path` names one of them. Long lines are cut around the match.',
    'Up to 250 matches are shown; when there are more, the complete list is saved and its place given. For the surroundings of a match use read.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      pattern: {
        type: 'string',
        description: 'A regular expression in ripgrep syntax. Escape what is meant literally, such as \\( or \\{.',
      },
      path: {
        type: 'string',
        description: 'File or directory to search. Default: the session workspace, where relative paths start too.',
      },
      include: {
        type: 'string',
        description: 'One glob that files must match, such as "*.ts" or "*.{js,jsx}". No list and no negation.',
      },
    },
    required: ['pattern'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  timeoutMs: 30_000,
  promptSection: {
    name: 'tool:grep',
    order: 104,
    text: 'Search contents with grep rather than grep or rg in bash. A `No matches found` does not cover hidden and ignored files; name such a file or directory as path when it may matter.',
  },
  presentCall: titledBy('Grep', 'pattern'),
});
