import type { Secret } from './secret.ts';

/** How a lost connection to an MCP server is made again. */
export interface McpReconnectConfig {
  enabled: boolean;
  initialDelayMs: number;
  maxDelayMs: number;
  /** In a row; a connection that lasts `maxDelayMs` earns all of them again. */
  maxAttempts: number;
}

/** A program that speaks over its standard streams, or an address that speaks streamable HTTP. */
export type McpTransportConfig =
  | {
      kind: 'stdio';
      command: string;
      args: string[];
      /** On top of what commands may inherit. */
      env: Record<string, Secret>;
      /** Absolute; absent = the data folder. */
      cwd?: string;
    }
  | { kind: 'streamable-http'; url: Secret; headers: Record<string, Secret> };

/** One MCP server of the deployment. */
export interface McpServerConfig {
  /** `[A-Za-z0-9_-]{1,32}`, part of the names of its tools. */
  name: string;
  transport: McpTransportConfig;
  /** What must not appear in any text the server makes: values taken from variables, and headers. */
  secrets: Secret[];
  toolCallTimeoutMs: number;
  /** Whether the worker refuses to start without it. */
  failOnStartupError: boolean;
  reconnect: McpReconnectConfig;
}
