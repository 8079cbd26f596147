import { z } from 'zod';
import type { CommandDescription, HostId, TenantId } from '../domain/index.ts';
import { storableJson } from './columns.ts';
import type { Database } from './database.ts';
import type { Host } from './hosts.ts';

const Command = z.object({ name: z.string(), description: z.string(), input: z.string().optional() });

/** What a worker tells about itself in `hosts.details`: names and settings, never addresses of providers or keys. */
export const HostDetails = z.object({
  /** Version of the product the worker runs. */
  version: z.string().optional(),
  node: z.string().optional(),
  /** What its tools may do to the machine. */
  mode: z.string().optional(),
  /** How it confines commands. */
  sandbox: z
    .object({
      runner: z.string().optional(),
      enforcement: z.string().optional(),
      network: z.string(),
      unusable: z.array(z.object({ runner: z.string(), reason: z.string() })),
    })
    .optional(),
  providers: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** Whose plugin brought it; absent: everybody may name it. */
        tenant: z.string().optional(),
        /** Models it lists. */
        models: z.array(z.string()).default([]),
        /** What becomes of a model that is not listed. */
        unlisted: z.enum(['passed-through', 'refused']).default('passed-through'),
        /** Which models are shown pictures: these of the listed, and whether those that are not listed. */
        pictures: z.object({ listed: z.array(z.string()), unlisted: z.boolean() }).optional(),
        /** Which adapter speaks to it. */
        protocol: z.string().optional(),
        /** The levels of thinking it can be asked for. */
        reasoningEfforts: z.array(z.string()).default([]),
        /** What its key is called where tenants may store it, and whether the deployment has one. */
        credential: z.object({ ref: z.string(), source: z.enum(['environment', 'stored']) }).optional(),
        /** What is known of the models it lists. */
        catalogue: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              input: z.array(z.string()),
              contextWindow: z.number().optional(),
              price: z
                .object({
                  input: z.number(),
                  output: z.number(),
                  cacheRead: z.number().optional(),
                  cacheWrite: z.number().optional(),
                })
                .optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  /** The route that sessions use which choose none. */
  defaultRoute: z.object({ provider: z.string(), model: z.string() }).optional(),
  /** Effective settings, for people. */
  settings: z.record(z.string(), z.json()).default({}),
  /** Commands its plugins add, for people. */
  commands: z.array(Command).default([]),
  /** The same of single tenants. */
  tenantCommands: z.array(Command.extend({ tenant: z.string() })).default([]),
  tools: z.array(z.string()).default([]),
  /** MCP servers it speaks to; how many tools each offers, and what was left out or changed. */
  mcp: z
    .array(
      z.object({
        name: z.string(),
        transport: z.string(),
        state: z.string(),
        tools: z.int(),
        notices: z.array(z.string()).default([]),
      }),
    )
    .default([]),
  /** Optional sets of tools, each with the names it offers. */
  toolsets: z.record(z.string(), z.array(z.string())).default({}),
});
export type HostDetails = z.output<typeof HostDetails>;

export interface PublishHostDetailsInput {
  host: HostId;
  epoch: number;
  details: z.input<typeof HostDetails>;
}

/** Shows what the holder of a host's lease offers; a former holder changes nothing. */
export async function publishHostDetails(database: Database, input: PublishHostDetailsInput): Promise<void> {
  await database
    .updateTable('hosts')
    .set({ details: storableJson(input.details) })
    .where('host_id', '=', input.host)
    .where('epoch', '=', input.epoch)
    .execute();
}

/** The providers of a host that a tenant may name. */
export const providersFor = (details: HostDetails, tenant: TenantId): HostDetails['providers'] =>
  details.providers.filter((provider) => provider.tenant === undefined || provider.tenant === tenant);

/** The commands of a host's plugins that sessions of a tenant have; its own come last. */
export const commandsFor = (details: HostDetails, tenant: TenantId): CommandDescription[] =>
  [...details.commands, ...details.tenantCommands.filter((command) => command.tenant === tenant)].map(
    ({ name, description, input }) => ({ name, description, ...(input !== undefined && { input }) }),
  );

/** Reads a host's details; what a worker of another version put there and we do not understand is left out. */
export function hostDetails(host: Host): HostDetails {
  const parsed = HostDetails.safeParse(host.details);
  return parsed.success ? parsed.data : HostDetails.parse({});
}
