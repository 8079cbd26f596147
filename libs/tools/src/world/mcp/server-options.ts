import type { Revealable } from './redact.ts';

/** How one MCP server is reached and how patient we are with it. */
export interface McpServerOptions {
  name: string;
  transport:
    | {
        kind: 'stdio';
        command: string;
        args: readonly string[];
        env: Readonly<Record<string, Revealable>>;
        cwd?: string;
      }
    | { kind: 'streamable-http'; url: Revealable; headers: Readonly<Record<string, Revealable>> };
  /** Taken out of every text that comes from the server. */
  secrets: readonly Revealable[];
  toolCallTimeoutMs: number;
  failOnStartupError: boolean;
  reconnect: { enabled: boolean; initialDelayMs: number; maxDelayMs: number; maxAttempts: number };
}

/** Where a connection stands; `gone`: every attempt to make it again has failed. */
export type McpServerState = 'connecting' | 'connected' | 'reconnecting' | 'disconnected' | 'gone' | 'closed';
