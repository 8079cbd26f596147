import type { SessionId, TenantId } from '@everturn/core/domain';
import { defineTool } from '@everturn/tools/kit';
import type { McpServers, McpServerView } from '@everturn/tools/world';
import { expect, test } from 'vitest';
import { offerMcp } from './mcp-tools.ts';
import { Registry } from './registry.ts';

const session = 'alpha' as SessionId;
const place = { tenant: 'acme' as TenantId, session };
const parameters = { type: 'object', properties: {} } as const;

/** Servers as a registry sees them: what they offer, and word of a change. */
function fakeServers() {
  const views: McpServerView[] = [];
  const watchers = new Set<() => void>();
  const servers = {
    view: () => views,
    onChange: (watcher: () => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  } as unknown as McpServers;
  const offer = (server: string, raws: string[], resources = false) => {
    const tools = raws.map((raw) => ({ name: `mcp__${server}__${raw}`, raw, description: raw, parameters }));
    const view = { name: server, transport: 'stdio', state: 'connected', tools, resources, notices: [] } as const;
    const at = views.findIndex(({ name }) => name === server);
    views.splice(at === -1 ? views.length : at, at === -1 ? 0 : 1, view);
    for (const watcher of watchers) watcher();
  };
  return { servers, offer };
}

function setUp(...before: string[]) {
  const registry = new Registry();
  const { servers, offer } = fakeServers();
  const warnings: string[] = [];
  const tool = (name: string) => ({
    definition: defineTool({ name, description: name, parameters, home: 'host', effect: 'at-most-once' }),
  });
  for (const name of before) registry.global.addTool(tool(name));
  offer('a', []);
  offer('b', []);
  const resourceTools = [tool('read_mcp_resource')];
  offerMcp({ servers, layer: registry.global, resourceTools, warn: (message) => warnings.push(message) });
  return { registry, offer, warnings, names: () => [...registry.view(place).tools.keys()].toSorted() };
}

test('tools come and go with what servers offer, and the version follows, in whatever order they came', () => {
  const { registry, offer, names } = setUp('read');
  offer('b', ['x']);
  offer('a', ['x', 'y']);
  expect(names()).toEqual(['mcp__a__x', 'mcp__a__y', 'mcp__b__x', 'read']);
  const version = registry.version(place);
  offer('a', ['x']);
  expect(names()).toEqual(['mcp__a__x', 'mcp__b__x', 'read']);
  expect(registry.version(place)).not.toBe(version);
  offer('a', ['y', 'x']);
  expect(registry.version(place)).toBe(version);
});

test('a clash with a foreign tool leaves the whole generation as it was', () => {
  const { offer, names, warnings } = setUp('mcp__a__taken');
  offer('a', ['x']);
  offer('a', ['y', 'taken', 'z']);
  expect(names()).toEqual(['mcp__a__taken', 'mcp__a__x']);
  expect(warnings).toEqual([expect.stringContaining('"mcp__a__taken" is already registered')]);
  offer('a', ['z']);
  expect(names()).toEqual(['mcp__a__taken', 'mcp__a__z']);
});

test('two servers whose names and tools come to one name: who offered it keeps it, and the other has none of that list', () => {
  const { registry, offer, names, warnings } = setUp();
  offer('a', ['b__c']);
  offer('a__b', ['c', 'd']);
  expect(names()).toEqual(['mcp__a__b__c']);
  expect(registry.view(place).tools.get('mcp__a__b__c')?.definition.description).toBe('b__c');
  expect(warnings).toEqual([expect.stringMatching(/^MCP server "a__b": .*"mcp__a__b__c" is already registered/)]);
  offer('a__b', ['d']);
  expect(names()).toEqual(['mcp__a__b__c', 'mcp__a__b__d']);
});

test('the resource tools and the names of servers are there while a server has resources', () => {
  const { registry, offer, names } = setUp();
  const section = () => registry.view(place).sections.find(({ name }) => name === 'mcp:resources')?.text;
  expect([names(), section()]).toEqual([[], undefined]);
  offer('b', [], true);
  offer('a', [], true);
  expect([names(), section()]).toEqual([['read_mcp_resource'], 'MCP servers with resources: a, b.']);
  offer('a', []);
  expect(section()).toBe('MCP servers with resources: b.');
  offer('b', []);
  expect([names(), section()]).toEqual([[], undefined]);
});

test('a filter may name a tool that is away just now', () => {
  const { registry, offer } = setUp('read');
  const restrictions = [{ allow: ['read', 'mcp__a__x'] }];
  const allowed = () => [...registry.view(place, { restrictions }).tools.keys()];
  expect(allowed()).toEqual(['read']);
  offer('a', ['x', 'y']);
  expect(allowed()).toEqual(['read', 'mcp__a__x']);
  expect(() => registry.view(place, { restrictions: [{ allow: ['mcp__c__x'] }] })).toThrow(
    expect.objectContaining({ code: 'PLUGIN_UNKNOWN_TOOL' }),
  );
});
