import { defineTool, titledBy } from '../kit/index.ts';

/** Reads one resource of an MCP server. */
export const readMcpResource = defineTool({
  name: 'read_mcp_resource',
  presence: 'changing',
  description: [
    'Reads one resource of an MCP server and returns what the server answers, as JSON; binary contents are named with their size and not shown.',
    'Only for servers the system prompt names as having resources; other names are refused.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      server: { type: 'string', description: 'Name of the server, one of those the system prompt lists.' },
      uri: { type: 'string', description: 'A URI that was listed, or a URI template with its parts filled in.' },
    },
    required: ['server', 'uri'],
  },
  home: 'host',
  effect: 'at-most-once',
  readOnly: true,
  presentCall: titledBy('Read resource', 'uri'),
});
