import { defineTool, titledBy } from '../kit/index.ts';

/** Finds files by name. */
export const glob = defineTool({
  name: 'glob',
  description: [
    'Finds files whose path matches a glob pattern, hidden and ignored files included; what version control keeps for itself (`.git` and the like) is left out, and directories are never listed.',
    'Returns up to 100 paths, oldest change first. When there are more, the 100 are a sample across the top-level entries, the answer says so, and the complete list is saved and its place given.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      pattern: {
        type: 'string',
        description:
          'For example "**/*.ts" or "src/**/*.test.js". Without a slash it matches file names at any depth; with one it is anchored at the workspace or at `path`. Brackets match literally as well as as a character class.',
      },
      path: {
        type: 'string',
        description: 'Directory to search. Default: the session workspace, where relative paths start too.',
      },
    },
    required: ['pattern'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  timeoutMs: 30_000,
  promptSection: {
    name: 'tool:glob',
    order: 103,
    text: 'Find files by name with glob rather than find or ls -R. When the answer says it shows a part, narrow the pattern or read the saved list.',
  },
  presentCall: titledBy('Glob', 'pattern'),
});
