import { implementTool, mcpListOutput } from '../kit/index.ts';
import { listMcpResources } from './schema.ts';

/** Asks the server for its resources. */
export const executeListMcpResources = implementTool(
  listMcpResources,
  async ({ server, cursor }, { ports, signal }) => {
    const page = await ports.mcp.listResources({ server, signal, ...(cursor !== undefined && { cursor }) });
    return mcpListOutput(server, 'resources', page);
  },
);
