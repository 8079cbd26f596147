import { defineTool, titledBy } from '../kit/index.ts';

/** Lists what an MCP server has to read. */
export const listMcpResources = defineTool({
  name: 'list_mcp_resources',
  presence: 'changing',
  description: [
    'Lists the resources one MCP server offers, as JSON: their URIs, names and descriptions. Read one with read_mcp_resource.',
    'Only for servers the system prompt names as having resources; other names are refused.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      server: { type: 'string', description: 'Name of the server, one of those the system prompt lists.' },
      cursor: {
        type: 'string',
        description:
          'Returns the one page this cursor names, with the cursor of the next as `nextCursor` if there is one. Default: all pages together.',
      },
    },
    required: ['server'],
  },
  home: 'host',
  effect: 'at-most-once',
  readOnly: true,
  presentCall: titledBy('List resources', 'server'),
});
