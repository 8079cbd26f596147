import { defineTool, titledBy } from '../kit/index.ts';

/** Lists the patterns by which an MCP server's resources are named. */
export const listMcpResourceTemplates = defineTool({
  name: 'list_mcp_resource_templates',
  presence: 'changing',
  description: [
    'Lists the URI templates of one MCP server, as JSON. Fill in the parts in braces and read the result with read_mcp_resource.',
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
  presentCall: titledBy('List resource templates', 'server'),
});
