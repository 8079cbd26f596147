import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodies } from '../src/activity.ts';
import { catalog } from '../src/catalog.ts';
import type { ValueSchema } from '../src/kit/index.ts';
import { orchestrations } from '../src/workflow.ts';

interface CatalogueEntry {
  package: string;
  parameters: ValueSchema;
}
const catalogue = JSON.parse(readFileSync(new URL('tool-schemas.json', import.meta.url), 'utf8')) as Record<
  string,
  CatalogueEntry
>;

/** Names that several packages offer are keyed by package; ours is the one named here. */
const KEYS: Readonly<Record<string, string>> = { bash: '@deepseek-ai/dsh-tool-bash:bash' };

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

test('the catalogue offers these tools, each once', () => {
  expect(catalog.map(({ name }) => name)).toEqual(['bash', 'edit', 'glob', 'grep', 'read', 'todo_write', 'write']);
});

test.each(catalog.map((tool) => [tool.name, tool] as const))('%s takes what the catalogue says', (name, tool) => {
  expect(withoutDescriptions(tool.parameters)).toEqual(catalogue[KEYS[name] ?? name]?.parameters);
});

test.each(catalog.map((tool) => [tool.name, tool] as const))('%s and its parameters are described', (_name, tool) => {
  expect(tool.description.length).toBeGreaterThan(80);
  expect(describedParameters(tool.parameters).filter(([, description]) => !description?.trim())).toEqual([]);
});

test('every tool has exactly one body, where its home says', () => {
  const homes = catalog.map(({ name, home }) => ({
    name,
    home,
    activity: bodies.has(name),
    workflow: orchestrations.has(name),
  }));
  expect(homes).toEqual(
    homes.map(({ name, home }) => ({ name, home, activity: home !== 'workflow', workflow: home === 'workflow' })),
  );
  expect(bodies.size + orchestrations.size).toBe(catalog.length);
});

test('only read may overlap with its neighbours', () => {
  expect(catalog.filter((tool) => tool.concurrency).map(({ name }) => name)).toEqual(['read']);
});

test('prompt sections stand in this order', () => {
  const sections = catalog.flatMap(({ promptSection }) => (promptSection ? [promptSection] : []));
  expect(sections.toSorted((a, b) => a.order - b.order).map(({ name, order }) => [name, order])).toEqual([
    ['tool:read', 100],
    ['tool:write', 101],
    ['tool:edit', 102],
    ['tool:glob', 103],
    ['tool:grep', 104],
    ['tool:bash', 105],
  ]);
});
