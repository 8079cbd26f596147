import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { httpUrl, MAX_TIMER_MS, withoutBlanks } from './fields.ts';
import type { McpServerConfig, McpTransportConfig } from './mcp-config.ts';
import { Secret } from './secret.ts';

const duration = z.int().positive().max(MAX_TIMER_MS);
/** A value, or the name of the variable that holds it, so that the file needs to hold no secret. */
const value = z.union([z.string(), z.strictObject({ fromEnv: z.string().min(1) })]);
type Value = z.infer<typeof value>;

const common = {
  name: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'use 1 to 32 letters, digits, _ or -'),
  toolCallTimeoutMs: duration.default(60_000),
  failOnStartupError: z.boolean().default(false),
  reconnect: z
    .strictObject({
      enabled: z.boolean().default(true),
      initialDelayMs: duration.default(500),
      maxDelayMs: duration.default(30_000),
      maxAttempts: z.int().positive().default(10),
    })
    .prefault({}),
};

const Entry = z.discriminatedUnion('transport', [
  z.strictObject({
    ...common,
    transport: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: z.record(z.string(), value).default({}),
    cwd: z.string().startsWith('/', 'use an absolute folder').optional(),
  }),
  z.strictObject({
    ...common,
    transport: z.literal('streamable-http'),
    url: httpUrl('use an http(s) URL'),
    headers: z.record(z.string(), value).default({}),
  }),
]);
type Entry = z.infer<typeof Entry>;

/** A list, because an object would let the last of two servers of one name win in silence. */
const McpFile = z.strictObject({ servers: z.array(Entry) });

/** The MCP servers a file names; throws `CONFIG_FILE`, saying which entry is wrong and never what a value is. */
export function readMcpFile(path: string, source: NodeJS.ProcessEnv): McpServerConfig[] {
  const parsed = McpFile.safeParse(readJson(path));
  if (!parsed.success) throw broken(path, z.prettifyError(parsed.error));
  const names = parsed.data.servers.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw broken(path, `two servers are named "${twice}"`);
  const values = withoutBlanks(source);
  return parsed.data.servers.map((entry) => serverOf(path, entry, values));
}

function serverOf(path: string, entry: Entry, values: Record<string, string>): McpServerConfig {
  const { name, toolCallTimeoutMs, failOnStartupError, reconnect } = entry;
  const secrets: Secret[] = [];
  const read = (given: Value): Secret => {
    if (typeof given === 'string') return new Secret(given);
    const found = values[given.fromEnv];
    if (found === undefined) throw broken(path, `server ${name} takes a value from ${given.fromEnv}, which is not set`);
    const secret = new Secret(found);
    secrets.push(secret);
    return secret;
  };
  const transport = transportOf(entry, read);
  if (transport.kind === 'streamable-http') secrets.push(...Object.values(transport.headers), ...passwordOf(entry));
  return { name, transport, secrets, toolCallTimeoutMs, failOnStartupError, reconnect };
}

function transportOf(entry: Entry, read: (given: Value) => Secret): McpTransportConfig {
  if (entry.transport === 'streamable-http')
    return { kind: 'streamable-http', url: new Secret(entry.url), headers: readAll(entry.headers, read) };
  const { command, args, env, cwd } = entry;
  return { kind: 'stdio', command, args, env: readAll(env, read), ...(cwd !== undefined && { cwd }) };
}

const readAll = (given: Record<string, Value>, read: (value: Value) => Secret): Record<string, Secret> =>
  Object.fromEntries(Object.entries(given).map(([name, held]) => [name, read(held)]));

function passwordOf(entry: Entry): Secret[] {
  if (entry.transport !== 'streamable-http') return [];
  const { password } = new URL(entry.url);
  return password === '' ? [] : [new Secret(decodeURIComponent(password))];
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw broken(path, cause instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read');
  }
}

function broken(path: string, why: string): ConfigError {
  const message = `EVERTURN_MCP_FILE is wrong: ${path}: ${why}. Correct the file or unset the variable.`;
  return new ConfigError('CONFIG_FILE', message);
}
