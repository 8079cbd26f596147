import { changedBy, defineTool, titledBy } from '../kit/index.ts';

/** Creates a text file or replaces it as a whole. */
export const write = defineTool({
  name: 'write',
  description: [
    'Creates a UTF-8 text file or replaces all of an existing one. Missing parent directories are made; a new file is readable by its owner alone, an existing one keeps its mode.',
    'A path through a symbolic link changes the file behind it. To change a part of a file use edit.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'The file. A relative path starts in the session workspace.' },
      content: { type: 'string', description: 'All the text the file shall hold, written exactly as given.' },
    },
    required: ['file_path', 'content'],
  },
  home: 'host',
  effect: 'at-most-once',
  escalation: 'operation',
  promptSection: {
    name: 'tool:write',
    order: 101,
    text: 'Use write for new files and complete rewrites only, and read an existing file before you replace it. Do not write files through the shell.',
  },
  presentCall: titledBy('Write', 'file_path'),
  presentResult: changedBy('Write'),
});
