import type { JsonObject } from '@everturn/core/domain';
import type { ParameterSchema, ValueSchema } from '../../kit/index.ts';
import { projectSchema } from './project-schema.ts';
import { toolName } from './tool-name.ts';
import { wellFormed } from './well-formed.ts';

/** A server's tool as models see it. */
export interface McpTool {
  /** Legal, and unique within its server, see `toolName`. */
  name: string;
  /** What the server calls it. */
  raw: string;
  description: string;
  parameters: ParameterSchema;
  /** Checks the structured part of an answer, where our subset of JSON Schema can. */
  output?: ValueSchema;
}

/** What a server offers at one time. */
export interface McpGeneration {
  tools: McpTool[];
  resources: boolean;
  /** What was left out or changed, one sentence each. */
  notices: string[];
}

const MAX_DESCRIPTION = 8_192;
const MAX_TOOLS = 1_000;
/** What `validateArguments` understands; a schema with more is not used to judge. */
const JUDGED = new Set(
  'type properties required additionalProperties items enum const oneOf description title $schema default'.split(' '),
);

/** Makes a server's list fit for models; throws for a list that names one tool twice. */
export function offeredTools(server: string, listed: readonly unknown[]): Omit<McpGeneration, 'resources'> {
  const tools: McpTool[] = [];
  const notices: string[] = [];
  const seen = new Set<string>();
  for (const entry of listed.slice(0, MAX_TOOLS)) {
    const raw = isRecord(entry) ? entry['name'] : undefined;
    if (!isRecord(entry) || typeof raw !== 'string') {
      notices.push('an entry without a name is left out');
      continue;
    }
    if (seen.has(raw)) throw new Error(`it lists the tool "${raw}" twice`);
    seen.add(raw);
    const tool = offered(server, raw, entry);
    if (tool.kind === 'left-out') notices.push(`tool "${raw}" is left out: ${tool.reason}`);
    else tools.push(tool.tool);
    if (tool.kind === 'offered') notices.push(...tool.changes.map((change) => `tool "${raw}": ${change}`));
  }
  if (listed.length > MAX_TOOLS) notices.push(`only its first ${MAX_TOOLS} tools are offered`);
  return { tools, notices: notices.map((notice) => notice.toWellFormed()) };
}

type Offered = { kind: 'offered'; tool: McpTool; changes: string[] } | { kind: 'left-out'; reason: string };

function offered(server: string, raw: string, entry: JsonObject): Offered {
  if (needsTask(entry)) return { kind: 'left-out', reason: 'it can only run as a task, which is not supported' };
  const schema = projectSchema(entry['inputSchema']);
  if (schema.kind === 'left-out') return schema;
  const described = [entry['description'], entry['title']].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  const output = judgeable(entry['outputSchema']);
  const tool: McpTool = {
    name: toolName(server, raw),
    raw,
    description: (described ?? `The tool ${raw} of the MCP server ${server}.`).slice(0, MAX_DESCRIPTION).toWellFormed(),
    parameters: wellFormed(schema.parameters),
    ...(output && { output }),
  };
  return { kind: 'offered', tool, changes: schema.changes };
}

function needsTask({ execution }: JsonObject): boolean {
  return isRecord(execution) && execution['taskSupport'] === 'required';
}

function judgeable(schema: unknown): ValueSchema | undefined {
  return isRecord(schema) && inSubset(schema) ? (schema as ValueSchema) : undefined;
}

function inSubset(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (!Object.keys(schema).every((name) => JUDGED.has(name)) || Array.isArray(schema['type'])) return false;
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  if (!isRecord(properties) || !Array.isArray(oneOf)) return false;
  const below = [...Object.values(properties), ...oneOf, items, additionalProperties];
  return below.filter((value) => value !== undefined && typeof value !== 'boolean').every(inSubset);
}

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
