import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { openLocalWorld, type LocalWorld } from '../../src/world/local-world.ts';
import type { McpServers } from '../../src/world/mcp/mcp-servers.ts';
import type { Revealable } from '../../src/world/mcp/redact.ts';
import type { McpServerOptions } from '../../src/world/mcp/server-options.ts';
import { temporaryDirectory } from '../workspace.ts';

const PROGRAM = fileURLToPath(new URL('scripted-server.ts', import.meta.url));

export const held = (value: string): Revealable => ({ reveal: () => value });

/** A quick server of ours in one of its moods. */
export function scripted(name: string, mode = 'plain', over: Partial<McpServerOptions> = {}): McpServerOptions {
  const journal = join(temporaryDirectory(), 'journal');
  return {
    name,
    transport: { kind: 'stdio', command: process.execPath, args: [PROGRAM, mode, journal], env: {} },
    secrets: [],
    toolCallTimeoutMs: 20_000,
    failOnStartupError: false,
    reconnect: { enabled: true, initialDelayMs: 50, maxDelayMs: 1_000, maxAttempts: 5 },
    ...over,
  };
}

/** What a scripted server has noted, one thing a line. */
export function journalOf(server: McpServerOptions | undefined): string[] {
  const path = server?.transport.kind === 'stdio' ? (server.transport.args[2] ?? '') : '';
  return readFileSync(path, 'utf8').trim().split('\n');
}

export interface OpenServers {
  world: LocalWorld;
  mcp: McpServers;
  notices: string[];
  journal(name: string): string[];
  /** Calls a tool and answers with its texts. */
  call(server: string, raw: string, args?: object, signal?: AbortSignal): Promise<string>;
  until(what: string, holds: () => boolean): Promise<unknown>;
}

/** Starts servers in a real world that ends with the test. */
export async function openServers(
  servers: McpServerOptions[],
  environment: Record<string, string | undefined> = process.env,
): Promise<OpenServers> {
  const notices: string[] = [];
  const world = await openLocalWorld({ environment, mcp: { servers, onNotice: (notice) => notices.push(notice) } });
  onTestFinished(() => world.dispose());
  const { mcp } = world;
  await mcp.start();
  const journal = (name: string) => journalOf(servers.find((server) => server.name === name));
  return {
    world,
    mcp,
    notices,
    journal,
    call: async (server, raw, args = {}, signal = new AbortController().signal) => {
      const { content } = await mcp.callTool({ server, raw, args: args as never, signal });
      return (content as { text: string }[]).map((block) => block.text).join('\n');
    },
    until: (what, holds) => waitFor(async () => holds(), { what }),
  };
}
