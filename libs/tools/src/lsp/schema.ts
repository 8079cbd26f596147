import { defineTool, stringField } from '../kit/index.ts';

/** Asks the language server of a file. */
export const lsp = defineTool({
  name: 'lsp',
  toolset: 'lsp',
  description: [
    'Asks a language server about the symbol at a place in a source file of the workspace: where it is defined, implemented or used, or what it is.',
    'Up to 100 places are listed, as path:line:column; an answer is cut at 16,000 characters.',
    'The first question in a workspace may take long, because the server reads the project; after 60 seconds it is given up.',
    'Files of a language that no server was set up for are refused; search those with grep.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      operation: {
        type: 'string',
        enum: ['goToDefinition', 'findReferences', 'goToImplementation', 'hover'],
        description:
          'goToDefinition and goToImplementation: where the symbol is declared or implemented. findReferences: every use, its declaration included. hover: its type and documentation.',
      },
      file_path: {
        type: 'string',
        description:
          'Source file that holds the symbol: UTF-8, at most 4 MB, inside the workspace, where relative paths start.',
      },
      line: { type: 'number', description: 'Line of the symbol, counted from 1 as read shows it.' },
      character: {
        type: 'number',
        description: 'Column of any character of the symbol, counted from 1 in UTF-16 units (an emoji counts two).',
      },
    },
    required: ['operation', 'file_path', 'line', 'character'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  timeoutMs: 60_000,
  presentCall: (args) => {
    const operation = stringField(args, 'operation');
    const path = stringField(args, 'file_path');
    return operation === undefined || path === undefined
      ? undefined
      : { card: 'generic', title: `${operation} ${path}` };
  },
});
