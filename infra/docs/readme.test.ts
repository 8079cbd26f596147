import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as schema from '../../libs/core/src/config/schema.ts';
import { readProvidersFile } from '../../libs/core/src/config/providers-file.ts';
import { webFields } from '../../libs/core/src/config/web-config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const variables = new Set([...Object.values(schema), webFields].flatMap((fields) => Object.keys(fields)));

/** `METHOD /path` of every handler of the API's controllers. */
function routesOfApi(): string[] {
  return globSync('apps/api/src/**/*.controller.ts', { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const base = /@Controller\('([^']*)'\)/.exec(text)?.[1] ?? '';
    const handlers = [...text.matchAll(/^\s+@(Get|Post|Patch|Put|Delete)\((?:'([^']*)')?\)/gm)];
    return handlers.map(([, verb = '', path]) => `${verb.toUpperCase()} /${[base, path].filter(Boolean).join('/')}`);
  });
}

describe('the README', () => {
  it('names every route of the API, and no other', () => {
    const named = [...readme.matchAll(/^\| `((?:GET|POST|PATCH|PUT|DELETE) [^`]+)` +\|/gm)].map(
      ([, route = '']) => route,
    );
    expect(named.toSorted()).toEqual(routesOfApi().toSorted());
  });

  it('says of every tool, in each of its variants, what it needs', () => {
    const rows = /\n\| tools +\|[^\n]*\n[^\n]*\n([^]*?)\n\n/.exec(readme)?.[1]?.split('\n') ?? [];
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    const named = cells.flatMap(([, tools = '']) => [...tools.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
    const page = readFileSync(join(root, 'docs/tools.md'), 'utf8');
    const offered = [...page.matchAll(/^## `(?:[a-z-]+:)?([a-z_]+)`$/gm)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(offered.toSorted());
    expect(cells.filter(([, , , need = '']) => need === '')).toEqual([]);
  });

  it('names only variables that the configuration knows', () => {
    const named = [...readme.matchAll(/\b(?:EVERTURN|TEMPORAL|OPENAI|DEEPSEEK|DATABASE)_[A-Z_]+\b/g)].map(
      ([name]) => name,
    );
    const example = 'OPENAI_KEY_OF_THIS_TEAM';
    expect(named.filter((name) => name !== example && !variables.has(name))).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...readme.matchAll(/\bnpm run ([a-z:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('links only to what is there', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => path);
    const files = links.filter((path) => !path.startsWith('https://'));
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('shows a providers file that is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'everturn-readme-'));
    const file = join(folder, 'providers.json');
    writeFileSync(file, /```json\n([^`]+)```/.exec(readme)?.[1] ?? '');
    const environment = { OPENAI_KEY_OF_THIS_TEAM: 'x', ANTHROPIC_KEY_OF_THIS_TEAM: 'y' };
    const { routes, default: chosen } = readProvidersFile(file, { environment, stored: 'none' });
    rmSync(folder, { recursive: true });
    expect({ ids: routes.map(({ id }) => id), chosen }).toEqual({
      ids: ['local', 'claude', 'openai'],
      chosen: { provider: 'local', model: 'qwen3-coder' },
    });
  });
});
