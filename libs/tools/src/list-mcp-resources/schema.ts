import { LISTING, RESOURCE_TOOL, defineTool, titledBy } from '../kit/index.ts';

/** Lists what an MCP server has to read. */
export const listMcpResources = defineTool({
  name: 'list_mcp_resources',
  ...RESOURCE_TOOL,
  description: [
    'Lists the resources one MCP server offers, as JSON: their URIs, names and descriptions. Read one with read_mcp_resource.',
    'Only for servers the system prompt names as having resources; other names are refused.',
  ].join(' '),
  parameters: LISTING,
  presentCall: titledBy('List resources', 'server'),
});
