import { z } from 'zod';

const Worker = z.strictObject({
  id: z.string(),
  seenMsAgo: z.int(),
  roots: z.array(z.string()),
  version: z.string().optional(),
  node: z.string().optional(),
  mode: z.string().optional(),
  tools: z.array(z.string()),
  toolsets: z.record(z.string(), z.array(z.string())).describe('optional sets of tools, each with what it offers'),
  settings: z.record(z.string(), z.unknown()),
});
/** What runs here and what it may do. */
export const HostReport = z.strictObject({
  mode: z.literal('danger-full-access').describe('what tools may do to the machine they run on'),
  versions: z.record(z.string(), z.string()),
  providers: z.array(z.strictObject({ id: z.string(), name: z.string(), models: z.array(z.string()) })),
  defaultRoute: z.strictObject({ provider: z.string(), model: z.string() }).optional(),
  settings: z.record(z.string(), z.unknown()),
  workers: z.array(Worker),
});
export type HostReport = z.output<typeof HostReport>;
