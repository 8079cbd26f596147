import type { JsonObject } from '@everturn/core/domain';
import { unavailableServer, type McpListInput, type McpPage, type McpPort } from '../../kit/index.ts';
import type { ConverseInput, Conversation } from '../processes/local-processes.ts';
import type { Line } from './connection.ts';
import { httpLine } from './http-line.ts';
import { McpServer } from './mcp-server.ts';
import type { McpTool } from './offered-tools.ts';
import { entriesOf, nextCursor, readPages } from './read-pages.ts';
import { revealAll } from './redact.ts';
import type { McpServerOptions, McpServerState } from './server-options.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface McpServersInput {
  servers: readonly McpServerOptions[];
  /** Where programs work whose folder is not configured. */
  cwd: string;
  converse(input: ConverseInput): Promise<Conversation>;
  /** Something an operator should know; holds no secret. */
  onNotice(notice: string): void;
}

/** One server as people and registries see it. */
export interface McpServerView {
  name: string;
  transport: McpServerOptions['transport']['kind'];
  state: McpServerState;
  tools: readonly McpTool[];
  resources: boolean;
  notices: readonly string[];
}

/** The same each time, so that watchers see that nothing changed. */
const NONE: readonly McpTool[] = [];
/** How long a start waits for servers it could do without. */
const STARTUP_WAIT_MS = 10_000;

/** The MCP servers of this process. */
export class McpServers implements McpPort {
  readonly #servers: ReadonlyMap<string, McpServer>;
  readonly #watchers = new Set<() => void>();

  constructor(input: McpServersInput) {
    const onChange = () => this.#watchers.forEach((watcher) => watcher());
    const { onNotice } = input;
    this.#servers = new Map(
      input.servers.map((options) => {
        const line = () => lineTo(options, input);
        return [options.name, new McpServer({ options, line, onChange, onNotice })];
      }),
    );
  }

  /** Connects to all; waits for each as long as it is needed. Throws for one the deployment cannot do without. */
  async start(): Promise<void> {
    const starting = [...this.#servers.values()].map((server) => ({ server, started: server.start() }));
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, STARTUP_WAIT_MS).unref();
    });
    await Promise.all(
      starting.map(({ server, started }) =>
        server.options.failOnStartupError ? started : Promise.race([started, patience]),
      ),
    );
  }

  /** Calls `watcher` after every change of {@link view}; the returned function ends that. */
  onChange(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Every server, by name. */
  view(): McpServerView[] {
    return [...this.#servers.values()]
      .map(({ options, state, generation }) => ({
        name: options.name,
        transport: options.transport.kind,
        state,
        tools: generation?.tools ?? NONE,
        resources: generation?.resources ?? false,
        notices: generation?.notices ?? [],
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** One tool call under the server's own name for it; the answer as it came. */
  callTool(input: { server: string; raw: string; args: JsonObject; signal: AbortSignal }): Promise<JsonObject> {
    const { server, raw, args, signal } = input;
    return this.#server(server).request({ method: 'tools/call', params: { name: raw, arguments: args }, signal });
  }

  listResources(input: McpListInput): Promise<McpPage> {
    return this.#list(input, { method: 'resources/list', member: 'resources' });
  }

  listResourceTemplates(input: McpListInput): Promise<McpPage> {
    return this.#list(input, { method: 'resources/templates/list', member: 'resourceTemplates' });
  }

  async readResource({
    server,
    uri,
    signal,
  }: {
    server: string;
    uri: string;
    signal: AbortSignal;
  }): Promise<JsonObject> {
    return this.#withResources(server).request({ method: 'resources/read', params: { uri }, signal });
  }

  /** Ends every connection and program. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  async #list(
    { server: name, cursor, signal }: McpListInput,
    { method, member }: { method: string; member: string },
  ): Promise<McpPage> {
    const server = this.#withResources(name);
    const page = (at: string | undefined) =>
      server.request({ method, params: at === undefined ? {} : { cursor: at }, signal });
    if (cursor === undefined) return { items: (await readPages({ member, page })) as JsonObject[] };
    const answer = await page(cursor);
    const next = nextCursor(answer);
    return { items: entriesOf(answer, member) as JsonObject[], ...(next !== undefined && { nextCursor: next }) };
  }

  #withResources(name: string): McpServer {
    const server = this.#servers.get(name);
    if (!server?.generation?.resources) throw unavailableServer(name);
    return server;
  }

  #server(name: string): McpServer {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`MCP server "${name}" is not configured`);
    return server;
  }
}

function lineTo({ name, transport }: McpServerOptions, { converse, cwd }: McpServersInput): Line {
  if (transport.kind === 'streamable-http') return httpLine(transport);
  const { command, args, env } = transport;
  return new StdioTransport(() =>
    converse({
      argv: [command, ...args],
      cwd: transport.cwd ?? cwd,
      environment: revealAll(env),
      signal: new AbortController().signal,
    }).catch((error: unknown) => {
      throw new Error(`its program cannot be started for "${name}"`, { cause: error });
    }),
  );
}
