import type { JsonObject } from '@everturn/core/domain';

export interface McpListInput {
  server: string;
  /** Absent: all pages; otherwise the one page the cursor names. */
  cursor?: string;
  signal: AbortSignal;
}
/** Entries as the server gave them. */
export interface McpPage {
  items: JsonObject[];
  nextCursor?: string;
}

/** Resources of the deployment's MCP servers. Every method throws a plain error that names the server. */
export interface McpPort {
  listResources(input: McpListInput): Promise<McpPage>;
  listResourceTemplates(input: McpListInput): Promise<McpPage>;
  readResource(input: { server: string; uri: string; signal: AbortSignal }): Promise<JsonObject>;
}

/** The answer about a server that is unknown, belongs to others, or has no resources. */
export const unavailableServer = (server: string): Error =>
  new Error(`MCP resource server "${server}" is unavailable in this agent's scope`);
