import { mcpToolBody, mcpToolPrefix, type McpServers, type McpServerView } from '@everturn/tools/world';
import { PluginError } from './plugin-error.ts';
import type { RegisteredTool, RegistryLayer, Unregister } from './registry-layer.ts';

export interface OfferMcpInput {
  servers: McpServers;
  layer: RegistryLayer;
  /** The tools that list and read resources; offered while a server has any. */
  resourceTools: readonly RegisteredTool[];
  warn(message: string): void;
}

type Offer = { tools: McpServerView['tools']; remove: Unregister };

/**
 * Keeps a registry in step with the MCP servers of this process, now and after every change. The tools of a server
 * change all together or not at all; they stay through an outage, so that sessions are not told of each.
 */
export function offerMcp(input: OfferMcpInput): Unregister {
  const { servers, layer, resourceTools } = input;
  for (const { name } of servers.view()) layer.changing.add(mcpToolPrefix(name));
  for (const { definition } of resourceTools) layer.changing.add(definition.name);
  const offers = new Map<string, Offer>();
  let resources: { names: string; remove: Unregister } | undefined;
  const keepUp = () => {
    const views = servers.view();
    for (const view of views) {
      const last = offers.get(view.name);
      if (last?.tools !== view.tools) offers.set(view.name, exchange(input, view, last));
    }
    const names = views.flatMap(({ name, resources: has }) => (has ? [name] : [])).join(', ');
    if (names === (resources?.names ?? '')) return;
    resources?.remove();
    resources = names === '' ? undefined : { names, remove: offerResources(input, names) };
  };
  keepUp();
  return servers.onChange(keepUp);
}

function exchange({ servers, layer, warn }: OfferMcpInput, view: McpServerView, last: Offer | undefined): Offer {
  const register = (tools: McpServerView['tools']): Unregister =>
    addAll(tools.map((tool) => () => layer.addTool(mcpToolBody({ servers, server: view.name, tool }))));
  last?.remove();
  try {
    return { tools: view.tools, remove: register(view.tools) };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    warn(`MCP server "${view.name}": ${error.message} Its tools stay what they were.`);
    return { tools: view.tools, remove: last ? register(last.tools) : () => undefined };
  }
}

function offerResources({ layer, resourceTools, warn }: OfferMcpInput, names: string): Unregister {
  const section = { name: 'mcp:resources', order: 150, text: `MCP servers with resources: ${names}.` };
  try {
    return addAll([...resourceTools.map((tool) => () => layer.addTool(tool)), () => layer.addSection(section)]);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    warn(`resources of MCP servers cannot be offered: ${error.message}`);
    return () => undefined;
  }
}

/** All registrations or, when one is refused, none. */
function addAll(registrations: readonly (() => Unregister)[]): Unregister {
  const done: Unregister[] = [];
  const remove = () => done.forEach((undo) => undo());
  try {
    for (const add of registrations) done.push(add());
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}
