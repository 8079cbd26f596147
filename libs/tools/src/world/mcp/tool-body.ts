import { asJsonValue, type JsonObject, type JsonValue } from '@everturn/core/domain';
import {
  ToolError,
  type ToolBody,
  type ToolDefinition,
  type ToolRunContext,
  type ValueSchema,
} from '../../kit/index.ts';
import type { McpServers } from './mcp-servers.ts';
import type { McpTool } from './offered-tools.ts';
import { renderResult, type McpBlock, type SaveImages } from './render-result.ts';

export interface McpToolInput {
  servers: McpServers;
  server: string;
  tool: McpTool;
}

/** A server's tool as one of ours: exclusive, at most once, on the host that holds the connection. */
export function mcpToolBody({ servers, server, tool }: McpToolInput): ToolBody {
  return {
    definition: definitionOf(tool),
    execute: async (args, context) => {
      const { signal } = context;
      const answer = await call(servers, { server, raw: tool.raw, args: isRecord(args) ? args : {}, signal });
      const content = contentOf(tool.raw, answer);
      const rendered = await renderResult(tool.raw, content, await imageStore(context));
      if (answer['isError'] === true) throw new Error(textOf(rendered));
      const { structuredContent } = answer;
      return {
        content: rendered,
        value: {
          content: asJsonValue(content),
          ...(structuredContent !== undefined && { structuredContent }),
        },
      };
    },
  };
}

/** Where pictures go that the model which reads the result can see; otherwise why they go nowhere. */
async function imageStore({ ports, route }: ToolRunContext): Promise<SaveImages | { reason: string }> {
  const { attachments } = ports;
  if (!attachments) return { reason: 'this deployment stores no images' };
  if (!(await route?.())?.takesImages) return { reason: 'the model takes text only' };
  return async (images) => {
    const admitted = await Promise.all(images.map(({ bytes, mediaType }) => attachments.admit(bytes, mediaType)));
    return Promise.all(admitted.map((image) => attachments.store(image)));
  };
}

function definitionOf({ name, description, parameters, output }: McpTool): ToolDefinition {
  return Object.freeze({
    name,
    description,
    parameters,
    home: 'host',
    effect: 'at-most-once',
    ...(output && { output: valueSchema(output) }),
  });
}

const valueSchema = (structuredContent: ValueSchema): ValueSchema => ({
  type: 'object',
  properties: { content: { type: 'array' }, structuredContent },
  required: ['content', 'structuredContent'],
});

async function call(
  servers: McpServers,
  input: { server: string; raw: string; args: JsonObject; signal: AbortSignal },
): Promise<JsonObject> {
  try {
    return await servers.callTool(input);
  } catch (error) {
    if (input.signal.aborted) throw new ToolError('ABORTED', 'tool call aborted', { cause: undefined });
    throw error;
  }
}

/** The blocks of an answer; servers of before they were called so answer `toolResult`. */
function contentOf(raw: string, answer: JsonObject): McpBlock[] {
  const { content, toolResult } = answer;
  const none = content === undefined || (Array.isArray(content) && content.length === 0);
  if (none && toolResult !== undefined)
    return [{ type: 'text', text: typeof toolResult === 'string' ? toolResult : JSON.stringify(toolResult) }];
  if (content === undefined) return [];
  if (!Array.isArray(content)) throw new Error(`${raw} answered without a list of content`);
  return content.map((block: JsonValue) =>
    isRecord(block) && typeof block['type'] === 'string' ? (block as McpBlock) : { type: 'none', value: block },
  );
}

const textOf = (blocks: readonly { type: string }[]): string =>
  blocks.map((block) => ('text' in block ? String(block.text) : `[${block.type}]`)).join('\n');

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
