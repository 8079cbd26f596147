import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodies } from '../src/activity.ts';
import { catalog, findTool, toolKey, toolsets } from '../src/catalog.ts';
import { withEscalation, type ValueSchema } from '../src/kit/index.ts';
import { orchestrations } from '../src/workflow.ts';

interface CatalogueEntry {
  package: string;
  parameters: ValueSchema;
}
const catalogue = JSON.parse(readFileSync(new URL('tool-schemas.json', import.meta.url), 'utf8')) as Record<
  string,
  CatalogueEntry
>;

/** The reference keys names that several packages offer by package; ours are keyed by set. */
const KEYS: Readonly<Record<string, string>> = {
  bash: '@deepseek-ai/dsh-tool-bash:bash',
  'pwsh:pwsh': '@deepseek-ai/dsh-tool-pwsh:pwsh',
  'persistent-shell:bash': '@deepseek-ai/dsh-tool-bash-persistent:bash',
  'persistent-pwsh:pwsh': '@deepseek-ai/dsh-tool-pwsh-persistent:pwsh',
  interrupt_agent: '@deepseek-ai/dsh-tool-subagent-control:interrupt_agent',
  list_agents: '@deepseek-ai/dsh-tool-subagent-control:list_agents',
  send_message: '@deepseek-ai/dsh-tool-subagent-control:send_message',
  'subagents:interrupt_agent': '@deepseek-ai/dsh-tool-subagent-control:interrupt_agent',
  'subagents:list_agents': '@deepseek-ai/dsh-tool-subagent-control:list_agents',
  'subagents:send_message': '@deepseek-ai/dsh-tool-subagent-control:send_message',
  subagent_fork: 'subagent',
  'subagents:subagent': 'subagent',
  'subagents:subagent_fork': 'subagent',
  'team:interrupt_agent': '@deepseek-ai/dsh-experimental-tool-agent-team:interrupt_agent',
  'team:list_agents': '@deepseek-ai/dsh-experimental-tool-agent-team:list_agents',
  'team:send_message': '@deepseek-ai/dsh-experimental-tool-agent-team:send_message',
};
const rows = catalog.map((tool) => [toolKey(tool), tool] as const);

const withoutDescriptions = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      name === 'description' && typeof value === 'string' ? [] : [[name, withoutDescriptions(value)]],
    ),
  );
};

const describedParameters = (schema: ValueSchema): [string, string | undefined][] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, string | undefined][] => [
    [name, property.description],
    ...describedParameters(property),
  ]),
  ...(schema.items ? describedParameters(schema.items) : []),
];

test('the catalogue offers each tool once, in the order of its keys', () => {
  const keys = rows.map(([key]) => key);
  expect(keys).toEqual([...new Set(keys)].toSorted());
});

test('a name that several sets offer is found by key, and the basic one by name', () => {
  expect(rows.map(([key]) => toolKey(findTool(key) ?? catalog[0]!))).toEqual(rows.map(([key]) => key));
  expect(findTool('bash')?.toolset).toBeUndefined();
  expect(toolKey(findTool('pwsh') ?? catalog[0]!)).toBe('pwsh:pwsh');
  expect(findTool('nope')).toBeUndefined();
});

test('no set offers a name twice, and each set says what it offers', () => {
  const named = [...toolsets].flatMap(([set, names]) => names.map((name) => `${set}/${name}`));
  expect(new Set(named).size).toBe(named.length);
  expect(named.length).toBe(catalog.filter(({ toolset }) => toolset !== undefined).length);
});

test.each(rows)('%s takes what the catalogue says', (key, tool) => {
  expect(withoutDescriptions(tool.parameters)).toEqual(catalogue[KEYS[key] ?? key]?.parameters);
});

test('every tool of the catalogue is there', () => {
  const offered = new Set(rows.map(([key]) => KEYS[key] ?? key));
  expect([...offered].toSorted()).toEqual(Object.keys(catalogue).toSorted());
  expect(offered.size).toBe(69);
});

test.each(rows)('%s and its parameters are described', (_key, tool) => {
  expect(tool.description.length).toBeGreaterThan(80);
  expect(describedParameters(tool.parameters).filter(([, description]) => !description?.trim())).toEqual([]);
});

test('every tool has exactly one body, where its home says', () => {
  const homes = rows.map(([key, { home }]) => ({
    key,
    home,
    activity: bodies.has(key),
    workflow: orchestrations.has(key),
  }));
  expect(homes).toEqual(
    homes.map(({ key, home }) => ({ key, home, activity: home !== 'workflow', workflow: home === 'workflow' })),
  );
  expect(bodies.size + orchestrations.size).toBe(catalog.length);
});

test('only reads and work of others may overlap with their neighbours', () => {
  expect(catalog.filter((tool) => tool.concurrency).map(({ name }) => name)).toEqual([
    'read',
    'read_image',
    'session_event_read',
    'session_event_trace',
    'session_trace',
    'subagent',
    'subagent_fork',
    'subagent',
    'subagent_fork',
    'web_fetch',
    'web_search',
  ]);
});

test('these end at a time of their own, all others when they are done', () => {
  expect(catalog.flatMap((tool) => (tool.timeoutMs === undefined ? [] : [[toolKey(tool), tool.timeoutMs]]))).toEqual([
    ['glob', 30_000],
    ['grep', 30_000],
    ['lsp', 60_000],
    ['session_event_search', 30_000],
    ['session_search', 30_000],
    ['web_fetch', 30_000],
    ['web_search', 60_000],
  ]);
});

const sectionsOf = (tools: typeof catalog) =>
  tools
    .flatMap(({ promptSection }) => (promptSection ? [promptSection] : []))
    .toSorted((a, b) => a.order - b.order)
    .map(({ name, order }) => [name, order]);

test('prompt sections stand in this order', () => {
  expect(sectionsOf(catalog.filter(({ toolset }) => toolset === undefined))).toEqual([
    ['tool:read', 100],
    ['tool:write', 101],
    ['tool:edit', 102],
    ['tool:glob', 103],
    ['tool:grep', 104],
    ['tool:bash', 105],
    ['tool:jobs', 106],
    ['tool:web_search', 110],
    ['tool:web_fetch', 111],
    ['tool:goal', 114],
    ['tool:workflow', 115],
  ]);
});

test('a section of an optional set takes the place of the basic one of its name', () => {
  const orders = new Map(sectionsOf(catalog).map(([name, order]) => [name, order]));
  expect(sectionsOf(catalog).filter(([name, order]) => orders.get(name as string) !== order)).toEqual([]);
  expect(orders.get('tool:terminal')).toBe(106);
});

test("these may ask for a wider sandbox mode for one call, by a pair of parameters beside the catalogue's", () => {
  const asking = catalog.filter((tool) => tool.escalation);
  expect(asking.map(({ name, escalation }) => [name, escalation])).toEqual([
    ['bash', 'command'],
    ['edit', 'operation'],
    ['plugin_manager', 'plugin management operation'],
    ['pwsh', 'command'],
    ['run_code', 'program'],
    ['write', 'operation'],
  ]);
  for (const { parameters } of asking) {
    const { sandbox_permissions: mode, justification, ...base } = withEscalation(parameters).properties ?? {};
    const { sandbox_permissions: _mode, justification: _why, ...plain } = parameters.properties ?? {};
    expect(base).toEqual(plain);
    expect(mode?.enum).toEqual(['workspace-write', 'danger-full-access']);
    expect([mode?.description, justification?.description].map((text) => typeof text)).toEqual(['string', 'string']);
  }
});
