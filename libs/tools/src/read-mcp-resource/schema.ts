import { RESOURCE_TOOL, SERVER, defineTool, titledBy } from '../kit/index.ts';

/** Reads one resource of an MCP server. */
export const readMcpResource = defineTool({
  name: 'read_mcp_resource',
  ...RESOURCE_TOOL,
  description: [
    'Reads one resource of an MCP server and returns what the server answers, as JSON; binary contents are named with their size and not shown.',
    'Only for servers the system prompt names as having resources; other names are refused.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      ...SERVER,
      uri: { type: 'string', description: 'A URI that was listed, or a URI template with its parts filled in.' },
    },
    required: ['server', 'uri'],
  },
  presentCall: titledBy('Read resource', 'uri'),
});
