import { text, type JsonObject, type JsonValue } from '@everturn/core/domain';
import type { McpPage } from './mcp-port.ts';
import type { ToolOutput } from './tool-result.ts';

/** An MCP server's answer as JSON for the model, binary parts named; programs get all of it. */
export function mcpOutput(server: string, answer: JsonObject): ToolOutput {
  const shown = JSON.stringify(answer, (key, value: unknown) => (key === 'blob' ? binary(value) : value), 2);
  return { content: [text(`MCP server: ${server}\n${shown}`)], value: answer };
}

/** A page of a list under the name the server gives it. */
export function mcpListOutput(server: string, member: string, { items, nextCursor }: McpPage): ToolOutput {
  return mcpOutput(server, {
    [member]: items as readonly JsonValue[],
    ...(nextCursor !== undefined && { nextCursor }),
  });
}

const binary = (value: unknown): unknown =>
  typeof value === 'string'
    ? `[binary resource: ${value.length} base64 characters; available to programmatic callers]`
    : value;
