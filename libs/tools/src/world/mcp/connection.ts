import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@everturn/core/domain';
import { z } from 'zod';
import { offeredTools, type McpGeneration } from './offered-tools.ts';
import { readPages } from './read-pages.ts';
import { redactAll } from './redact.ts';

/** A way to a server that can tell why it ended. */
export type Line = Transport & { epitaph(): string };

export interface OpenConnectionInput {
  server: string;
  line: Line;
  /** Takes secrets out of a text of the server's. */
  redact(text: string): string;
  timeoutMs: number;
  signal: AbortSignal;
  onClose(): void;
  onToolsChanged(): void;
  /** Told of what went wrong beside any request. */
  onError(error: Error): void;
}

export interface RequestInput {
  method: string;
  params: Record<string, unknown>;
  timeoutMs: number;
  signal: AbortSignal;
}

/** What a server answers is judged by whoever asked, not by the SDK: one odd member must not void the rest. */
const AnyResult = z.looseObject({});

const CLOSED: number = ErrorCode.ConnectionClosed;

/** One open connection to a server. */
export class McpConnection {
  readonly line: Line;
  readonly #client: Client;
  readonly #server: string;
  readonly #redact: (text: string) => string;

  private constructor({ server, line, redact }: OpenConnectionInput, client: Client) {
    this.#server = server;
    this.#client = client;
    this.#redact = redact;
    this.line = line;
  }

  /** Connects and shakes hands; whatever was started is ended when that fails. */
  static async open(input: OpenConnectionInput): Promise<McpConnection> {
    const { line, timeoutMs, signal } = input;
    const client = new Client({ name: 'everturn', version: '1' }, { capabilities: {} });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => input.onToolsChanged());
    Object.assign(client, { onerror: input.onError, onclose: input.onClose }); // the SDK has no event target
    try {
      await client.connect(line, { timeout: timeoutMs, signal });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error instanceof McpError && error.code === CLOSED ? new Error(line.epitaph()) : error;
    }
    return new McpConnection(input, client);
  }

  /** One request; rejects with the protocol client's error, which tells the server when it gives up. No secret is in the answer. */
  async request({ method, params, timeoutMs, signal }: RequestInput): Promise<JsonObject> {
    const request = { method, params } as Parameters<Client['request']>[0];
    const answer = await this.#client.request(request, AnyResult, { timeout: timeoutMs, signal });
    return redactAll(answer as JsonObject, this.#redact);
  }

  /** Everything the server offers now. */
  async generation(input: { timeoutMs: number; signal: AbortSignal }): Promise<McpGeneration> {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    const resources = capabilities.resources !== undefined;
    if (capabilities.tools === undefined) return { tools: [], resources, notices: [] };
    const listed = await readPages({
      member: 'tools',
      page: (cursor) =>
        this.request({ ...input, method: 'tools/list', params: cursor === undefined ? {} : { cursor } }),
    });
    return { ...offeredTools(this.#server, listed), resources };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
