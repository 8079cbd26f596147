import { implementTool, mcpListOutput } from '../kit/index.ts';
import { listMcpResourceTemplates } from './schema.ts';

/** Asks the server for its URI templates. */
export const executeListMcpResourceTemplates = implementTool(
  listMcpResourceTemplates,
  async ({ server, cursor }, { ports, signal }) => {
    const page = await ports.mcp.listResourceTemplates({ server, signal, ...(cursor !== undefined && { cursor }) });
    return mcpListOutput(server, 'resourceTemplates', page);
  },
);
