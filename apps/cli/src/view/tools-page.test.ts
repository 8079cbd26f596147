import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog, toolKey } from '@everturn/tools/catalog';
import { expect, test } from 'vitest';
import { toolsPage } from './tools-page.ts';

const root = join(import.meta.dirname, '../../../..');

test('docs/tools.md is what the catalogue says', () => {
  expect(readFileSync(join(root, 'docs/tools.md'), 'utf8'), 'stale: run `npm run docs`').toBe(toolsPage(catalog));
});

test('every folder of a tool is in the catalogue', () => {
  const folders = globSync('libs/tools/src/*/schema.ts', { cwd: root }).map((file) => file.split('/').at(-2) ?? '');
  const known = new Set(catalog.map(toolKey).flatMap((key) => [key, key.split(':').at(-1) ?? '', ...aliases(key)]));
  expect(folders.map((folder) => folder.replaceAll('-', '_')).filter((name) => !known.has(name))).toEqual([]);
});

test('the README names every tool', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(catalog.map(({ name }) => name).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

/** A set's own take on a name lives in a folder of both: `persistent-shell:bash` in `persistent-bash`. */
const aliases = (key: string): string[] => {
  const [set = '', name = ''] = key.split(':');
  return [`${set.split('-')[0]}_${name}`, `persistent_${key}`];
};
