import { implementTool, mcpOutput } from '../kit/index.ts';
import { readMcpResource } from './schema.ts';

/** Asks the server for a resource. */
export const executeReadMcpResource = implementTool(readMcpResource, async ({ server, uri }, { ports, signal }) =>
  mcpOutput(server, await ports.mcp.readResource({ server, uri, signal })),
);
