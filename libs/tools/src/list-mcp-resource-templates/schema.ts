import { LISTING, RESOURCE_TOOL, defineTool, titledBy } from '../kit/index.ts';

/** Lists the patterns by which an MCP server's resources are named. */
export const listMcpResourceTemplates = defineTool({
  name: 'list_mcp_resource_templates',
  ...RESOURCE_TOOL,
  description: [
    'Lists the URI templates of one MCP server, as JSON. Fill in the parts in braces and read the result with read_mcp_resource.',
    'Only for servers the system prompt names as having resources; other names are refused.',
  ].join(' '),
  parameters: LISTING,
  presentCall: titledBy('List resource templates', 'server'),
});
