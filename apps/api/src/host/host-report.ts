import { SandboxMode } from '@everturn/core/domain';
import { z } from 'zod';

const Worker = z.strictObject({
  id: z.string(),
  seenMsAgo: z.int(),
  roots: z.array(z.string()),
  version: z.string().optional(),
  node: z.string().optional(),
  mode: z.string().optional(),
  sandbox: z
    .strictObject({
      runner: z.string().optional(),
      enforcement: z.string().optional(),
      network: z.string(),
      unusable: z.array(z.strictObject({ runner: z.string(), reason: z.string() })),
    })
    .optional()
    .describe('what confines commands on that machine; without a runner confined ones are refused'),
  tools: z.array(z.string()),
  toolsets: z.record(z.string(), z.array(z.string())).describe('optional sets of tools, each with what it offers'),
  mcp: z
    .array(
      z.strictObject({
        name: z.string(),
        transport: z.string(),
        state: z.string(),
        tools: z.int(),
        notices: z.array(z.string()).describe('tools that were left out or changed, and why'),
      }),
    )
    .describe('MCP servers the worker speaks to'),
  settings: z.record(z.string(), z.unknown()),
});
/** What runs here and what it may do. */
export const HostReport = z.strictObject({
  mode: SandboxMode.describe('what tools may do to the machine they run on, in sessions that do not say'),
  versions: z.record(z.string(), z.string()),
  providers: z.array(z.strictObject({ id: z.string(), name: z.string(), models: z.array(z.string()) })),
  defaultRoute: z.strictObject({ provider: z.string(), model: z.string() }).optional(),
  settings: z.record(z.string(), z.unknown()),
  workers: z.array(Worker),
});
export type HostReport = z.output<typeof HostReport>;
