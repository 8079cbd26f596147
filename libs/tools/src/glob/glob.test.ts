import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { ToolSettings } from '../kit/index.ts';
import { executeTool } from '../activity.ts';
import { samplePaths, topLevelEntry } from './sample-paths.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const search = (overrides: Record<string, unknown>) => ({ settings: ToolSettings.parse({ search: overrides }) });

/** Files whose order of change is their order here. */
function plant(root: string, paths: readonly string[]): void {
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${path}\n`);
    utimesSync(join(root, path), 1_000 + index, 1_000 + index);
  }
}

async function globbing(paths: readonly string[], args: object, overrides: Record<string, unknown> = {}) {
  const workspace = await openWorkspace();
  plant(workspace.cwd, paths);
  return { ...workspace, result: await workspace.call('glob', args, search(overrides)) };
}

const TREE = [
  '.ci/a.yml',
  'out/app.js',
  'app/[slug]/page.tsx',
  'app/s/page.tsx',
  '.git/config',
  '.git/x.yml',
  'sub/.git/hooks/h.yml',
  'b.yaml',
  'sub/src/x.ts',
  'src/x.ts',
  '-dash.ts',
  'a\\b.ts',
];

describe('glob', () => {
  test.each<[string, object, string]>([
    ['a dot folder', { pattern: '.ci/a.yml' }, '.ci/a.yml'],
    ['an ignored file', { pattern: 'out/app.js' }, 'out/app.js'],
    ['brackets by name', { pattern: 'app/[slug]/page.tsx' }, 'app/[slug]/page.tsx\napp/s/page.tsx'],
    ['alternatives, nothing of version control', { pattern: '**/*.{yml,yaml}' }, '.ci/a.yml\nb.yaml'],
    ['version control itself', { pattern: '*', path: '.git' }, 'No files found'],
    ['no slash: any depth', { pattern: '*.tsx' }, 'app/[slug]/page.tsx\napp/s/page.tsx'],
    ['a slash anchors at the workspace', { pattern: 'src/*.ts' }, 'src/x.ts'],
    ['and at the searched directory', { pattern: 'src/*.ts', path: 'sub' }, 'sub/src/x.ts'],
    ['a path with brackets', { pattern: '*', path: 'app/[slug]' }, 'app/[slug]/page.tsx'],
    ['nothing', { pattern: '*.none' }, 'No files found'],
    ['a dash in front is no option', { pattern: '-dash.ts' }, '-dash.ts'],
    ['neither is --pre', { pattern: '--pre=p.sh' }, 'No files found'],
    ['shell syntax', { pattern: '$(touch PWN)*;`id`' }, 'No files found'],
    ['a backslash is a part of a name', { pattern: 'a*b.ts' }, 'a\\b.ts'],
  ])('%s', async (_name, args, text) => {
    const { cwd, result } = await globbing(TREE, args);
    writeFileSync(join(cwd, '.gitignore'), 'out/\n');
    expect(result).toEqual({ text, isError: false });
  });

  test('an absolute pattern inside the workspace, and a path that begins with a dash', async () => {
    const { cwd, call } = await globbing([...TREE, '-d/f.ts'], { pattern: 'x' });
    expect((await call('glob', { pattern: `${cwd}/src/*.ts` })).text).toBe('src/x.ts');
    expect((await call('glob', { pattern: '*', path: '-d' })).text).toBe('-d/f.ts');
  });

  test('outside the workspace paths are absolute, and patterns anchor there', async () => {
    const { call } = await openWorkspace();
    const other = temporaryDirectory();
    plant(other, ['src/a.ts', 'lib/src/b.ts']);
    expect((await call('glob', { pattern: 'src/*.ts', path: other })).text).toBe(join(other, 'src/a.ts'));
  });

  test('a linked session directory', async () => {
    const { cwd, call } = await openWorkspace();
    plant(cwd, ['src/a.ts']);
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(cwd, link);
    expect((await call('glob', { pattern: 'src/*.ts' }, { cwd: link })).text).toBe('src/a.ts');
  });

  test.each<[object, string, string | undefined]>([
    [{ pattern: ' ' }, 'pattern must be a non-empty string', undefined],
    [{ pattern: '*', path: ' ' }, 'path must be a non-empty string when given', undefined],
    [
      { pattern: '[' },
      "glob pattern rejected by ripgrep: rg: error parsing glob '[': unclosed character class; missing ']'",
      'SEARCH_INVALID_PATTERN',
    ],
  ])('refuses %j', async (args, message, code) => {
    const { result } = await globbing([], args);
    expect(result).toEqual({ text: `Error: ${message}`, isError: true, ...(code && { code }) });
  });

  test('a missing target and a session directory that is gone', async () => {
    const { call } = await openWorkspace();
    expect(await call('glob', { pattern: '*', path: 'none' })).toMatchObject({ isError: true, code: 'SEARCH_FAILED' });
    expect(await call('glob', { pattern: '*' }, { cwd: '/nowhere/at/all' })).toMatchObject({
      isError: true,
      code: 'SEARCH_FAILED',
    });
  });

  test('over the cap, by order of change', async () => {
    const { result } = await globbing(
      ['b/1', 'a/2', 'a/3'],
      { pattern: '**' },
      { globMaxResults: 2, sampleOverCapGlobResults: false },
    );
    expect(result.text).toMatch(/^b\/1\na\/2\n\n\(Showing 2 of 3 paths\. Full sorted result stored at: \S+\. .+\)$/);
    const [, locator] = /stored at: (\S+)\. /.exec(result.text) ?? [];
    expect(readFileSync(locator ?? '', 'utf8')).toBe('b/1\na/2\na/3');
  });

  test('over the cap, sampled', async () => {
    const { result } = await globbing(
      ['v/a', 'v/b', 'v/c', 'src/e', 'guide/f'],
      { pattern: '**' },
      { globMaxResults: 3 },
    );
    expect(result.text).toMatch(
      /^v\/a\nsrc\/e\nguide\/f\n\n\(Showing 3 of 5 paths, sampled across 3 of the 3 top-level entries this pattern matched instead of taken in modification-time order\. Full sorted result stored at: /,
    );
  });

  test('over the cap, where every path is an entry of its own', async () => {
    const { result } = await globbing(['1', '2', '3'], { pattern: '*' }, { globMaxResults: 2 });
    expect(result.text).toMatch(/^1\n2\n\n\(Showing 2 of 3 paths\. Full/);
  });

  test('a list that cannot be saved is said, and a program gets all of it without one', async () => {
    const { cwd, context } = await openWorkspace();
    plant(cwd, ['a/1', 'a/2']);
    const broken = context({ ...search({ globMaxResults: 1 }) });
    const ports = { ...broken.ports, spill: { save: () => Promise.reject(new Error('disk full')) } };
    const top = await executeTool({ name: 'glob', args: { pattern: '**' }, context: { ...broken, ports } });
    expect(top.content).toMatchObject([{ text: expect.stringContaining('The complete result could not be saved') }]);
    const nested = await executeTool({
      name: 'glob',
      args: { pattern: '**' },
      context: { ...broken, ports, parent: broken.callId },
    });
    expect(nested.value).toEqual({ paths: ['a/1', 'a/2'] });
    expect(nested.meta).toBeUndefined();
  });

  test('output over the limit of what is processed', async () => {
    const { result } = await globbing(['a/1', 'a/2'], { pattern: '**' }, { maxStdoutBytes: 5 });
    expect(result).toMatchObject({ isError: true, code: 'SEARCH_RAW_OUTPUT_OVERFLOW' });
  });
});

test('names that are no UTF-8, hold line ends or are links', async () => {
  const { cwd, call } = await openWorkspace();
  writeFileSync(Buffer.concat([Buffer.from(`${cwd}/caf`), Buffer.from([0xe9])]), '');
  writeFileSync(join(cwd, 'two\nlines'), '');
  mkdirSync(join(cwd, 'folder'));
  symlinkSync('folder', join(cwd, 'link'));
  symlinkSync('nowhere', join(cwd, 'dangling'));
  const paths = async (pattern: string) => {
    const { context } = await openWorkspace();
    const { value } = await executeTool({
      name: 'glob',
      args: { pattern },
      context: { ...context(), cwd, parent: context().callId },
    });
    return (value as { paths: string[] }).paths;
  };
  expect(await paths('caf*')).toEqual(['caf\uFFFD']);
  expect(await paths('two*')).toEqual(['two\nlines']);
  expect((await call('glob', { pattern: 'folder' })).text).toBe('No files found');
});

test('the order is that of the last change, oldest first, whatever the names', async () => {
  const { result } = await globbing(['z/old', 'a/middle', 'm/new'], { pattern: '**' });
  expect(result.text).toBe('z/old\na/middle\nm/new');
});

describe('samplePaths', () => {
  const paths = ['v/a', 'v/b', 'v/c', 'src/e', 'guide/f'];
  const top = (path: string) => topLevelEntry(path, undefined);

  test.each([
    [3, ['v/a', 'src/e', 'guide/f'], 3],
    [5, ['v/a', 'v/b', 'v/c', 'src/e', 'guide/f'], 3],
    [2, ['v/a', 'src/e'], 2],
    [9, ['v/a', 'v/b', 'v/c', 'src/e', 'guide/f'], 3],
  ])('a page of %d', (size, page, shown) => {
    expect(samplePaths(paths, size, top)).toEqual({ page, shown, total: 3 });
  });

  test.each([
    ['/abs/a', undefined, 'abs'],
    ['sub/a/b', 'sub', 'a'],
    ['a', undefined, 'a'],
  ])('the entry of %s below %s', (path, below, entry) => {
    expect(topLevelEntry(path, below)).toBe(entry);
  });
});
